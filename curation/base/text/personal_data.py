"""Finds personal data in a text. Pure; every pattern is linear in the length of the text.

Found: e-mail addresses, telephone numbers, accounts (IBAN, cards), national numbers with a known
form or check digit (China, United States, United Kingdom, Spain, Italy), and names after a form of
address. Not found: names without one, postal addresses, and people identified by what is said about
them. So pages say what was looked for, never that a text is free of personal data.
"""

import re

from curation.base.text import storable

_PHONE = re.compile(
    r"(?<![\w.,/])(?<!\d[ \u00a0-])"
    r"(?:\+\d{1,3}[ \u00a0./-]?(?:\(\d{1,4}\)[ \u00a0]?)?(?:\d[ \u00a0./-]?){6,12}\d"
    r"|\(0\d{1,4}\)[ \u00a0]?\d{3,4}[ \u00a0-]?\d{3,4}|0\d{2,4}[ \u00a0-]\d{3,4}[ \u00a0-]?\d{3,5}"
    r"|\(\d{3}\)[ \u00a0]?\d{3}[-.]\d{4}|1[3-9]\d{9}|1[3-9]\d[ -]\d{4}[ -]\d{4})"
    r"(?![\w%]|[ \u00a0-]\d)"
)
# Directly after Chinese characters, which count as letters in _PHONE.
_PHONE_CN = re.compile(r"(?<=[\u4e00-\u9fff：])1[3-9]\d{9}(?![\d%])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]{4}){2,7}(?:[ \u00a0]?[A-Z0-9]{1,3})?\b")
_CARD = re.compile(r"(?<![\w.,-])\d(?:[ \u00a0-]?\d){12,18}(?![\w%])")
_RESIDENT = re.compile(r"(?<![A-Za-z0-9.,])[1-9]\d{16}[\dXx](?![A-Za-z0-9%])")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_NINO = re.compile(r"\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b")
_DNI = re.compile(r"\b(\d{8})-?([A-HJ-NP-TV-Z])\b")
_FISCAL = re.compile(r"\b[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]\b")

_TITLES = (
    r"(?:Mrs|Mr|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Herr|Frau|Mme|M|Sr|Sra|Señora?|Signora?)"
)
_NAME = r"[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]{1,20}(?:[-'’][A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]{1,20})?"
_TITLED = re.compile(rf"\b{_TITLES}\.?[ \u00a0](?:{_NAME}[ \u00a0]){{0,2}}{_NAME}")
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘蒋蔡余杜叶程苏魏吕"
    "丁任沈姚卢姜崔钟谭陆汪范廖石金贾韦夏付方邹熊白孟秦邱侯江尹薛闫段雷龙史陶贺顾毛郝龚邵万钱严"
)
_TITLED_ZH = re.compile(
    rf"[{_SURNAMES}][\u4e00-\u9fff]{{0,2}}?"
    r"(?:先生|女士|小姐|医生|大夫|律师|教授|老师|同学|经理|法官|护士长?)"
)
# "高级教授" is a rank and "任课老师" a function; neither begins with a surname.
_NO_NAME_ZH = re.compile("^(?:高级|高年级|任课|任何|金融|方案|万能|白衣|石油|马上|余下|程序|史学)")

_CHECK_DIGITS = "10X98765432"
_CHECK_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def personal_data(body: str) -> list[str]:
    """Return e-mail addresses, telephone, account and national numbers, as typed, each once.

    A number with a check digit counts only if that is correct (IBAN: ISO 7064 mod 97; card: Luhn;
    Chinese resident number: ISO 7064 mod 11-2, with a valid date), so that figures of a case are
    not reported.
    """
    found = storable.addresses(body)
    found += [m.group() for p in (_PHONE, _PHONE_CN) for m in p.finditer(body)]
    found += [m.group() for m in _IBAN.finditer(body) if _is_iban(m.group())]
    found += [m.group() for m in _RESIDENT.finditer(body) if _is_resident(m.group())]
    found += [m.group() for m in _CARD.finditer(body) if _is_card(m.group())]
    found += [m.group() for p in (_SSN, _NINO, _FISCAL) for m in p.finditer(body)]
    found += [
        m.group() for m in _DNI.finditer(body) if _DNI_LETTERS[int(m.group(1)) % 23] == m.group(2)
    ]
    return list(dict.fromkeys(found))


def people_named(body: str) -> list[str]:
    """Return names with a form of address ("Dr Weber", "王女士"), as typed, each once."""
    found = [m.group() for m in _TITLED.finditer(body)]
    found += [m.group() for m in _TITLED_ZH.finditer(body) if not _NO_NAME_ZH.match(m.group())]
    return list(dict.fromkeys(found))


def _is_iban(typed: str) -> bool:
    plain = re.sub(r"\s", "", typed)
    turned = plain[4:] + plain[:4]
    return 15 <= len(plain) <= 34 and int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _is_card(typed: str) -> bool:
    digits = [int(c) for c in typed if c.isdigit()][::-1]
    doubled = [sum(divmod(d * 2, 10)) for d in digits[1::2]]
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_resident(typed: str) -> bool:
    year, month, day = int(typed[6:10]), int(typed[10:12]), int(typed[12:14])
    if not (1900 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31):
        return False
    total = sum(w * int(c) for w, c in zip(_CHECK_WEIGHTS, typed[:17], strict=True))
    return _CHECK_DIGITS[total % 11] == typed[17].upper()
