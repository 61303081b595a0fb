"""The tags around markup: the work bar with its path, the note, sentences on lines of their own."""

from django.template import Context, Template
from django.utils import translation


def shown(source: str, **names: object) -> str:
    return Template(source).render(Context(names))


def test_a_work_bar_shows_path_heading_and_content_in_this_order():
    source = (
        '{% workbar task.title lang="zh-Hans" id="workbar" %} <i>open</i>'
        '{% if yes %}{% path %}<a href="/">{{ home }}</a>{% endpath %}{% endif %}{% endworkbar %}'
    )
    bar = shown(source, task={"title": "<Task>"}, yes=True, home="My & mine")
    assert bar == (
        '<div class="workbar" id="workbar"><nav class="path" aria-label="Path">'
        '<a href="/">My &amp; mine</a></nav><h1 class="title" lang="zh-Hans">&lt;Task&gt;</h1>'
        " <i>open</i></div>"
    )
    # The path of one bar is not that of the next, and a block may bring its own heading.
    assert shown(source + "{% workbar %}<h1>Own</h1>{% endworkbar %}", yes=True).endswith(
        '<div class="workbar"><h1>Own</h1></div>'
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
