"""Terms that the demo model asks for: each one a term, from sentences that state something."""

import pytest

from sandbox.model.structured_output.facts import facts_of

ENZYMES = """# Lecture 9: Enzymes
## Contents
1. What enzymes are ........ 2
## What enzymes are
An enzyme is a protein that speeds up a chemical reaction without being used up.
The active site binds the substrate by shape and by charge. The curve above shows the rate without inhibitor.
Competitive inhibitors bind to the active site and can be displaced by more substrate.
The following is a summary of what the enzyme does to the substrate.
## Exercises
1. An inhibitor is added to the enzyme and the rate falls by half within ten minutes.
Calculate the maximum rate of the enzyme from the table of measurements.
## References
Berg, J. M. Biochemistry is the standard text of the enzyme, 8th edition, Freeman (2015).
"""
OSMOSIS = """Índice
1. Definición ..... 1
Definición
La ósmosis es el paso de agua a través de una membrana semipermeable desde la solución más diluida.
Arriba se ve la célula en una solución hipertónica.
La membrana pierde contacto con la pared durante la plasmólisis.
Preguntas de repaso
Una célula está en una solución de sacarosa y pierde agua durante dos horas.
Bibliografía
Biología molecular de la célula es el libro de referencia de la célula (2016). Omega.
"""
RECURSION = """Week 6: Recursion
A recursive function is a function that calls itself with a smaller input.
Above the call stack is a line for each call that has not returned.
Practice problems
A maze is a grid of cells in which a cell is either open or a wall.
"""


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (ENZYMES, {"enzyme", "substrate"}),
        (OSMOSIS, {"ósmosis", "membrana"}),
        (RECURSION, {"recursive function", "call"}),
    ],
)
def test_terms_are_terms_and_come_from_no_exercise_contents_or_references(text: str, terms: set[str]) -> None:
    facts = facts_of([text])

    assert facts
    assert {fact.term for fact in facts} <= terms


def test_a_part_without_facts_ends_at_the_next_heading_of_a_plain_text() -> None:
    assert [fact.term for fact in facts_of([OSMOSIS])][:1] == ["ósmosis"]
