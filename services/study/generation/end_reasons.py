"""Reasons why no more of a quiz or of cards is made, in words for the student: cards are not called questions."""

from services.i18n import gettext
from services.study.quiz import Product


def refused_by_model(product: Product) -> str:
    if product == "cards":
        return gettext("The model would not write cards from this. Choose other pages.")
    return gettext("The model would not write questions from this. Choose other pages.")


def text_is_used_up(product: Product, made: int, requested: int) -> str:
    if product == "cards":
        return gettext("{n} of {wanted} cards could be made: the text does not hold more.", n=made, wanted=requested)
    return gettext("{n} of {wanted} questions could be made: the text does not hold more.", n=made, wanted=requested)


def all_is_there(product: Product) -> str:
    """Everything in these sources has been made before."""
    if product == "cards":
        return gettext("You have cards of all of this. Review them, or choose other pages.")
    return gettext("You have been asked all of this before. Practise what you have, or choose other pages.")


def nothing_holds(product: Product) -> str:
    """Nothing that the model wrote is borne out by the text."""
    if product == "cards":
        return gettext("No card could be made that holds in this text. Choose other pages.")
    return gettext("No question could be made that holds in this text. Choose other pages, or another kind.")


def too_little_text(product: Product) -> str:
    if product == "cards":
        return gettext("There is too little text in it to make cards from.")
    return gettext("There is too little text in it to make questions from.")
