"""Special abilities around the student's own tasks: how such tools are named and how students ask for them.

Patterns are on folded text, English and Spanish; blanks in `said` and `unless` count only as `\\s`. Earlier rows win.
"""

from sandbox.model.rules.tools.ability_row import PLANNER_TASK, TRACKER, Row

ROWS = {
    "plan_tasks": Row(
        r"planner plan|plan tasks",
        r"(?:\b(?:order|sequence|sort|arrange|orden\w*)\b.{0,40}"
        + PLANNER_TASK
        + r"|\bplan\s+(?:out\s+)?my\s+(?:tasks|to-?dos)\b|"
        + PLANNER_TASK
        + r".{0,30}\b(?:order|sequence|orden)\b|\bwhich\s+(?:of\s+my\s+)?tasks?\b.{0,20}\b(?:first|next)\b)",
        unless=r"\b(?:add|new|create|remind|anade|nueva)\b",
    ),
    "own_tasks": Row(
        r"planner list tasks|list tasks$",
        r"(?:\b(?:on|in|from|en)\s+(?:my|the|mi|el)\s+(?:planner|task\s+list|planificador|agenda)\b|\b(?:which|what"
        r"|show|list|any|que|cuales|muestra\w*)\b.{0,25}"
        r"\b(?:my|mis|open|i)\b.{0,12}\b(?:tasks|to-?dos|reminders|tareas\s+del\s+planner|recordatorios)\b"
        r"|\bmis\s+pendientes\b|^\W*que\s+pendientes\b|\b(?:muestra\w*|lista|ver|dime)\s+(?:los\s+)?pendientes\b)",
        unless=r"\b(?:cho(?:ca|que)\w*|solap\w*|conflict\w*|eventos?|clases?|citas?|libres?|proyectos|ensayos|examenes"
        r"|laboratorios|quizzes|entregas|lecturas|projects|essays|exams|quizzes)\b|\b(?:add|put|create|remind|move|delete|anade|pon|crea|canvas|blocked|order|held|waiting)\b",
        is_only=False,
    ),
    "blocked_tasks": Row(
        r"list blocked",
        r"(?:\bblocked\b|\b(?:what|whats|what's|que)\b.{0,12}\b(?:blocking|bloquea)\b|\bheld\s+up\b|\bholding\s+(?:me|things|my)\b|\bbloquead[ao]s?\b"
        r"|\bwaiting\s+for\s+other\b|\bstuck\b.{0,20}" + PLANNER_TASK + r")",
        unless=r"\bi'?m\s+(?:blocked|stuck)\s+on\b.*\b(?:until|because|since)\b|\bis\s+blocked\s+(?:by|because)|\bmark\b|\bbecause\b",
    ),
    "delete_task": Row(
        r"planner (?:delete|remove)|delete task|remove task",
        r"(?:\b(?:delete|remove|drop|cancel|forget\s+about|get\s+rid\s+of|borra\w*|elimina\w*|quita\w*)\b.{0,60}"
        + PLANNER_TASK
        + r")",
        "delete",
        unless=r"\bcalendar\b",
        whole=True,
    ),
    "reopen_task": Row(
        r"reopen",
        r"(?:\b(?:reopen|re-open|reabr\w*)\b|\b(?:isn't|is\s+not|wasn't)\s+(?:really\s+)?(?:done"
        r"|finished)\s*(?:yet|after\s+all)|\bopen\b.{0,50}\btask\b.{0,20}\bagain\b|"
        r"\bopen\s+(?:the\s+)?task\b.{0,50}\bagain\b)",
        "change",
        whole=True,
    ),
    "complete_task": Row(
        r"complete task|finish task",
        r"(?:\b(?:i'm|i\s+am)\s+(?:done|finished|through)\s+with\b.{0,60}\b(?:tasks?|to-?dos?)\b|"
        r"\b(?:mark|tick|check|set|marca\w*)\b.{0,60}\b(?:done|complete|completed|finished|off|hecha|hecho"
        r"|terminad[ao]|completad[ao])\b|"
        r"\bi(?:'ve|\s+have)?\s+(?:just\s+)?(?:finished|completed|done\s+with)\b.{0,60}" + PLANNER_TASK + r"|"
        r"^\W*(?:ok\s+|okay\s+|listo,?\s+)?(?:i'?m\s+|i\s+am\s+)?(?:all\s+)?(?:done|finished)\s+with\s+(?:it|that|this)\b|"
        r"^\W*(?:ya\s+(?:l[oa]\s+)?(?:hice|termine|acabe)|listo,?\s+(?:ya|hecho))\b|"
        r"\b(?:finish|complete)\s+(?:the\s+|my\s+)?task\b|\btask\b.{0,50}\bis\s+(?:done|finished)\b"
        r"|\bhe\s+terminado\b)",
        "change",
        unless=TRACKER,
        whole=True,
    ),
    "start_task": Row(
        r"planner start|start task",
        r"(?:\b(?:start|started|begin|began|starting|beginning|empiezo|empezado|empece)\b.{0,50}"
        + PLANNER_TASK
        + r"|\bi(?:'m|\s+am)\s+(?:now\s+)?(?:working\s+)?on\s+(?:the\s+|my\s+).{2,40}\s+now\b"
        r"|\bmark\b.{0,50}\bas\s+(?:started|in\s+progress)\b)",
        "change",
        unless=TRACKER + r"|\bwhich\b|\bshould\b",
        whole=True,
    ),
    "block_task": Row(
        r"block task",
        r"(?:\bi'?m\s+(?:blocked|stuck)\s+on\b.{2,60}\b(?:until|because|since)\b|\b(?:can't|cannot|can\s+not|couldn't)\s+(?:go\s+on|continue|finish|do|start|work)\b.{2,60}(?:,"
        r"|\bbecause\b|\bsince\b|\bas\b|\buntil\b)|"
        r"\b(?:block|mark)\b.{0,60}\b(?:blocked|because)\b|\bis\s+blocked\s+(?:by|because)"
        r"|\bno\s+puedo\s+(?:seguir|continuar)\b.{0,60}(?:,|\bporque\b))",
        "change",
        unless=r"\?\s*$|@",
        whole=True,
    ),
    "edit_task": Row(
        r"planner (?:edit|update)|edit task|update task",
        r"(?:^\W*(?:the\s+|my\s+)?(?P<task>[\w' ]{3,40}?)\s+(?:needs?|depends?\s+on|has\s+to\s+wait\s+for"
        r"|must\s+wait\s+for|waits?\s+for|comes\s+after)\s+"
        r"(?:the\s+|my\s+)?[\w' ]{3,40}|\b(?:change|rename|edit|move|cambia\w*)\b.{0,50}\b(?:task|to-?do"
        r"|due\s+date\s+of\s+(?:the|my)\s+task|tarea)\b|"
        r"\bcan\s+wait\s+until\b)",
        "change",
        unless=r"\?\s*$|\bcalendar\b",
        whole=True,
    ),
}
