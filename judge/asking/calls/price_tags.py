"""The template filter of amounts of money."""

from django import template

from judge.asking.calls import money

register = template.Library()
register.filter("dollars", money.dollars)
