"""The web server reads its addresses and pages before the first person comes."""

from django.template import Template
from django.template.loader import get_template
from django.urls import get_resolver

from config import wsgi


def test_every_page_is_read_before_the_first_request() -> None:
    wsgi.warm_up()
    assert get_resolver().url_patterns
    loaders = get_template("base.html").template.engine.template_loaders
    kept = [template for loader in loaders for template in loader.get_template_cache.values()]
    read = {template.name for template in kept if isinstance(template, Template)}
    assert {"base.html", "home.html", "rubrics/workbench.html", "errors/404.html"} <= read
