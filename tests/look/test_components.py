"""The tags around markup: the work bar, the note, sentences on lines of their own."""

from django.template import Context, Template
from django.utils import translation


def shown(source: str, **names: object) -> str:
    return Template(source).render(Context(names))


def test_a_work_bar_shows_heading_and_content_in_this_order():
    source = (
        '{% workbar task.title lang="zh-Hans" id="workbar" %} <i>open</i>{% endworkbar %}'
        '{% workbar "" %}<h1>Own</h1>{% endworkbar %}'
    )
    assert shown(source, task={"title": "<Task>"}) == (
        '<div class="workbar" id="workbar"><h1 class="title" lang="zh-Hans">&lt;Task&gt;</h1>'
        ' <i>open</i></div><div class="workbar"><h1>Own</h1></div>'
    )


def test_a_note_has_the_icon_and_the_role_of_its_kind():
    plain = shown("{% note %}<p>{{ text }}</p>{% endnote %}", text="a < b")
    assert plain == '<div class="note"><p>a &lt; b</p></div>'
    urgent = shown('{% note "no" focus=True css="is-above" %}{% endnote %}')
    assert urgent.startswith(
        '<div class="note note-no is-above" role="alert" tabindex="-1" data-error-summary><svg '
    )
    assert "icon-warning" in urgent
    quiet = shown('{% note "wait" icon="" role="status" id="n" %}x{% endnote %}')
    assert quiet == '<div class="note note-wait" id="n" role="status">x</div>'


def test_white_space_beside_a_gap_does_not_count():
    source = """<p>{% sentences %}
        <b>One.</b>
        {% gap %}
        {% if yes %}Two  words.{% gap %}{% endif %}
        Three.
    {% endsentences %}</p>{{ a }}{% gap %}{{ a }}"""
    assert shown(source, yes=True, a="A") == "<p><b>One.</b> Two  words. Three.</p>A A"
    with translation.override("zh-hans"):
        assert shown(source, yes=False, a="甲") == "<p><b>One.</b>Three.</p>甲甲"


def test_a_table_draws_head_and_cells_of_each_column():
    source = (
        '{% table name, late in rows css="table-blocks" caption=_("All") row_id=name %}'
        '{% column "Who" lang=language %} {{ name }} '
        '{% column "Late & due" "num quiet" also=late|yesno:"is-wait," if timed %}{{ late }}'
        '{% column "Steps" hidden %}<a>x</a>'
        '{% total %}<th scope="row">All</th><td>{{ sum }}</td>{% endtable %}'
    )
    rows = [("<b>", 2), ("c", 0)]
    drawn = shown(source, rows=rows, timed=True, language="de", sum=2).replace("\n", "")
    assert drawn == (
        '<table class="table table-blocks"><caption class="sr">All</caption><thead><tr>'
        '<th scope="col">Who</th><th scope="col" class="num">Late & due</th>'
        '<th scope="col"><span class="sr">Steps</span></th></tr></thead><tbody>'
        '<tr id="&lt;b&gt;"><th scope="row" lang="de">&lt;b&gt;</th>'
        '<td class="num quiet is-wait" data-label="Late & due">2</td><td><a>x</a></td></tr>'
        '<tr id="c"><th scope="row" lang="de">c</th>'
        '<td class="num quiet" data-label="Late & due">0</td><td><a>x</a></td></tr>'
        '<tr class="total"><th scope="row">All</th><td>2</td></tr></tbody></table>'
    )
    assert "Late" not in shown(source, rows=rows, timed=False)


def test_the_heading_of_a_row_may_stand_in_another_column():
    source = (
        '{% table item in rows with row=item.row %}{% column label "num" %}{{ row.n }}'
        '{% column "Line" heading %}{{ row.text }}{% endtable %}'
    )
    drawn = shown(source, rows=[{"row": {"n": 1, "text": "a"}}], label="<No.>").replace("\n", "")
    assert drawn == (
        '<table class="table"><thead><tr><th scope="col" class="num">&lt;No.&gt;</th>'
        '<th scope="col">Line</th></tr></thead><tbody><tr><td class="num">1</td>'
        '<th scope="row">a</th></tr></tbody></table>'
    )


def test_facts_have_labels_conditions_and_loops():
    source = (
        '{% facts "is-left" id="f" %}{% fact _("Key") "mono" if key %} {{ key }} '
        "{% fact label for label, text in record %}{{ text }}{% endfacts %}"
    )
    drawn = shown(source, key="<k>", record=[("a&b", 1), ("c", 2)])
    assert drawn.replace("\n", "") == (
        '<dl class="facts is-left" id="f"><div><dt>Key</dt><dd class="mono">&lt;k&gt;</dd></div>'
        "<div><dt>a&amp;b</dt><dd>1</dd></div><div><dt>c</dt><dd>2</dd></div></dl>"
    )
    assert shown(source, record=[]) == '<dl class="facts is-left" id="f"></dl>'


def test_a_section_is_named_by_its_heading():
    source = '{% section title "t" css="section narrow" id="s" %}<p>{{ title }}</p>{% endsection %}'
    assert shown(source, title="<T>").replace("\n", "") == (
        '<section class="section narrow" id="s" aria-labelledby="t">'
        '<div class="head"><h2 id="t">&lt;T&gt;</h2></div><p>&lt;T&gt;</p></section>'
    )
    assert shown('{% section "T" %}{% endsection %}').startswith('<section class="section">')
