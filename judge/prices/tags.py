"""The template filter of amounts of money."""

from django import template

from judge.prices import money

register = template.Library()
register.filter("dollars", money.dollars)
