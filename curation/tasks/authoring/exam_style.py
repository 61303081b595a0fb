"""Rules that detect a prompt that looks like an exam question instead of a piece of work.

One sign of form is enough: options to tick, marks, a question's number, "which of the following".
Signs of substance count from three on: the prompt begins by asking for knowledge ("explain",
"what is"), names nobody who needs the work, has no date or figure, has very short materials, asks
for no deliverable. Signs of form are searched in the scenario and the requirements only, because
materials may quote an exam (teachers work with them). The rules know English and Chinese words;
for other languages only the signs of form, length and figures apply.
"""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _

from curation.base.text import storable

FEW_WORDS = 40  # materials shorter than this are a sign
ENOUGH = 3  # signs of substance

_OPTIONS = re.compile(
    r"(?:^|[\s。；;?？])[(（]?A[).）、．][^\n]{1,200}?[\s。；;][(（]?B[).）、．][^\n]{0,200}?"
    r"[\s。；;][(（]?C[).）、．]"
)
_OPTION_LINES = re.compile(
    r"^\s{0,8}[(（]?A[).）、．].{0,300}\n+\s{0,8}[(（]?B[).）、．]", re.MULTILINE
)
_MARKS = re.compile(
    r"[(\[（]\s?\d{1,3}\s?(?:marks?|points?|pts|分)\s?[)\]）]|(?:本题|每题|每小题|共|满分)\s?\d{1,3}\s?分"
    r"|\bworth \d{1,3} (?:marks|points)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^\s{0,8}(?:question|exercise|problem|q)\s?\d{1,3}\s?[:.)]"
    r"|^\s{0,8}第\s?[\d一二三四五六七八九十]{1,3}\s?题",
    re.IGNORECASE | re.MULTILINE,
)
_FOLLOWING = re.compile(
    r"\bwhich (?:one )?of (?:the following|these)\b|\btrue or false\b|\bfill in the blanks?\b"
    r"|\bchoose the (?:correct|right|best) (?:answer|option)\b|\btick the\b|\bmultiple[- ]choice\b"
    r"|下列(?:哪|选项|说法|各项|关于)|以下(?:哪|选项|说法)|判断(?:题|对错|正误)|选择题|填空题|名词解释|单选|多选题",
    re.IGNORECASE,
)
_KNOWLEDGE = re.compile(
    r"^[\s>*#\-\d.)]{0,12}(?:please )?(?:explain|define|describe|discuss|list|name|outline|state"
    r"|summari[sz]e|compare(?: and contrast)?|distinguish|what (?:is|are|does|do)"
    r"|why (?:is|are|do|does)|how (?:is|are|do|does)|give (?:an|three|two|some) examples?)\b"
    r"|^[\s>*#\-\d.、]{0,12}(?:请)?(?:简述|论述|试述|解释|说明什么|阐述|列举|比较.{1,20}的?异同|什么是|何谓|为什么|谈谈)",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:you are|you work|you have|your (?:client|team|firm|manager|director|colleague|employer"
    r"|patient|class|company|department|school|board|partner)|as the|client|board|committee"
    r"|wants?|asks you|asked you|has sent)\b|您是|你是|您(?:担任|负责|在)|你(?:担任|负责|在)"
    r"|客户|领导|董事会|委员会|贵司|我司|我校|我院|公司|患者|委托人|同事|主管",
    re.IGNORECASE,
)
_PARTICULAR = re.compile(r"\d")
_READ = re.compile(
    r"\b(?:the|of|and|to|is|are|what|with|for)\b|[\u4e00-\u9fff]", re.IGNORECASE
)  # English or Chinese
_PRODUCT = re.compile(
    r"\b(?:memo|note|letter|report|plan|email|e-mail|brief|opinion|table|schedule|slides?|deck"
    r"|checklist|protocol|advice|minutes|proposal|spreadsheet|specification|agenda|review|rota|lesson"
    r"|handover|order|entry|ticket|contract|clause|form|page|paper|label|statement|recommendation)s?\b"
    r"|备忘录|报告|方案|计划|信函?|函件|邮件|意见书|表格?|清单|教案|说明书|纪要|建议书|合同|条款|通知|底稿|文稿|预案|汇报",
    re.IGNORECASE,
)


def signs(parts: Mapping[str, str]) -> list[str]:
    """Return the sentences that say why a prompt looks like an exam question; empty if it does not.

    Args:
        parts: scenario, materials and requirements.
    """
    scenario, materials = parts["scenario"], parts["materials"]
    requirements = parts["requirements"]
    whole = "\n".join((scenario, materials, requirements))
    asked = f"{scenario}\n{requirements}"
    read = _READ.search(asked) is not None
    if storable.is_blank(scenario) or storable.is_blank(requirements):
        return []  # not written yet
    form = [
        sentence
        for pattern, sentence in (
            (_OPTIONS, _("it offers options to choose from")),
            (_OPTION_LINES, _("it offers options to choose from")),
            (_MARKS, _("it gives marks")),
            (_NUMBERED, _("it is numbered like a question")),
            (_FOLLOWING, _("it asks to tick, fill in or choose")),
        )
        if pattern.search(asked)
    ]
    substance = [
        sentence
        for found, sentence in (
            (
                _KNOWLEDGE.search(requirements) or _KNOWLEDGE.search(scenario),
                _("it asks what is known, not what to do"),
            ),
            (read and not _SOMEBODY.search(whole), _("it does not say who needs the work")),
            (
                not _PARTICULAR.search(scenario + materials),
                _("it contains no date or figure"),
            ),
            (
                storable.word_count(materials) < FEW_WORDS,
                _("the materials are shorter than a colleague would need"),
            ),
            (
                read and not _PRODUCT.search(requirements),
                _("it does not say what is to be delivered"),
            ),
        )
        if found
    ]
    if form or len(substance) >= ENOUGH:
        return list(dict.fromkeys(form + substance))
    return []
