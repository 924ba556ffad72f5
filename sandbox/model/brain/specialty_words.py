"""The table of special abilities: how tools with them are named and how students ask for them, English and Spanish.

Patterns are on folded text, blanks in `said` and `unless` count only as `\\s` or `[ ]`; earlier rows win.
"""

from typing import NamedTuple


class Row(NamedTuple):
    """named: on a tool's name in words. said, unless: on the student's words. action: what it does.

    is_only: whether a tool with it is for nothing else.
    """

    named: str
    said: str
    action: str = "read"
    unless: str = ""
    whole: bool = False
    is_only: bool = True


URL = r"(?:https?://\S+|\bwww\.\S+)"
REPO = r"(?:github|\brepo(?:sitory|sitorio)?s?\b|(?<![\w/.@])[a-z0-9][\w-]*/[a-z0-9][\w.-]+(?![\w/]))"
TRACKER = r"\b(?:tracker|reading\s+list|lista\s+de\s+lecturas?|seguimiento|database|base\s+de\s+datos)\b"
DOCUMENT = r"\b(?:document|documento|docs?)\b"
PLANNER_TASK = r"\b(?:tasks?|to-?dos?|tareas?|planner|reminders?|recordatorios?)\b"

ROWS = {
    # Writing: the text itself may be about anything, so these come first.
    "grammar": Row(
        r"grammar|spell|proofread",
        r"(?:\b(?:check|correct|fix|proofread|improve|look\s+over|revisa|corrige|comprueba)\b.{0,40}\b(?:grammar|spelling|"
        r"mistakes|typos|punctuation|english|gramatica|ortografia|errores|faltas)\b|\bproof-?read\b|"
        r"\b(?:grammar|spelling)\s+(?:check|mistakes|errors)|\b(?:any|find)\s+(?:\w+\s+){0,2}(?:mistakes|typos|errors)\b"
        r".{0,30}:|\bgrammatically\s+correct\b)",
        whole=True,
    ),
    "readability": Row(
        r"readab",
        r"(?:\breadab\w*|\b(?:hard|easy|difficult|clear)\s+(?:is\b.{0,30}|.{0,20}\b)to\s+read\b|\breading\s+(?:level|ease|grade)\b|"
        r"\bhow\s+(?:hard|easy|difficult)\s+is\s+(?:this|my|the)\s+(?:\w+\s+)?(?:text|paragraph|essay|draft|passage)\b|"
        r"\blegib\w*|\blegible\b|\bfacil\s+de\s+leer\b|\bdificil\s+de\s+leer\b)",
        whole=True,
    ),
    "mail": Row(
        r"\be?-?mail\b",
        r"(?:\b(?:draft|write|compose|prepare|send|redacta\w*|escrib\w+|prepara\w*|envia\w*|manda\w*)\b.{0,25}"
        r"\b(?:e-?mail|mail|message|correo)\b|^\W*(?:please\s+|can\s+you\s+|could\s+you\s+)?(?:e-?mail|mail|write\s+to)\s+"
        r"(?:my\s+)?(?:prof|teacher|\S+@|dr|instructor|ta\b)|\bwrite\b.{0,12}\s\S+@\S+\.\w+)",
        unless=r"^\W*(?:remind|recuerd)|\btask\b|\b(?:page|note)\b",
        whole=True,
    ),
    "assistant": Row(
        r"ask assistant|other assistant",
        r"(?:\b(?:ask|tell|question\s+for|pregunta\w*)\b.{0,20}\b(?:companion|assistant|asistente)\b)",
        whole=True,
    ),
    "bibliography": Row(
        r"bibliograph|citation|cite",
        r"(?:\b(?:cite|citation|reference|bibliograph\w*|apa|mla|cita|citar|referencia)\b.*"
        + URL
        + r"|"
        + URL
        + r".*\b(?:cite|citation|bibliograph\w*|apa|mla|cita|citar)\b)",
        whole=True,
    ),
    "links": Row(
        r"link (?:validator|check)|check links|validat\w* links?",
        r"(?:\b(?:links?|urls?|address|addresses|enlaces?|page|site)\b.*\b(?:work\w*|broken|dead|valid|alive|check|ok|"
        r"reachable|online|up|funciona\w*|rotos?|caido)\b.*"
        + URL
        + r"|\b(?:check|validate|test|comprueba|revisa)\b.{0,30}"
        r"\b(?:links?|urls?|enlaces?)\b|"
        + URL
        + r".*\b(?:work\w*|broken|dead|reachable|funciona\w*|still\s+(?:up|online))\b|"
        r"\b(?:is|are|do|does)\s+" + URL + r".*\b(?:work\w*|up|online|down|broken)\b|\bbroken\s+links?\b)",
        whole=True,
    ),
    "feed": Row(
        r"\brss\b|\bfeeds?\b",
        r"(?:\b(?:posts?|entries|feed|rss|atom|headlines|items|articulos|entradas)\b.*"
        + URL
        + r"|"
        + URL
        + r"\S*(?:feed|rss|atom|\.xml)|\bcampus\s+(?:news|feeds?|blog|headlines)\b|\b(?:new|news|happening|novedades|nuevo|noticias)"
        r"\s+(?:\w+\s+){0,3}(?:on|at|around|in|from|en|de|del)\s+(?:the\s+|el\s+|la\s+)?(?:campus|university|uni|school|college|"
        r"universidad)\b|\b(?:news\s*feeds?|rss|newsletter|headlines)\b|\bnoticias\s+del\s+campus\b|\blibrary\s+news\b)",
        unless=r"\b(?:professors?|prof|teachers?|instructors?|class|course)\b",
    ),
    "github": Row(
        r"git\s?hub|repositor",
        r"(?:\bgit\s?hub\b|"
        + REPO
        + r".*\b(?:readme|releases?|issue|pull|file|code|repo\w*|source|folder|license|version\w*)\b|"
        r"\b(?:readme|releases?|issue|pull|file|code|source|folder|license|version\w*)\b.*" + REPO + r")",
        unless=r"https?://(?!\S*git)",
        whole=True,
    ),
    "read_page": Row(
        r"web read|read (?:web page|url|website)|fetch (?:page|url|web)|^fetch$",
        URL,
        unless=r"(?:\b(?:add|put|create|remind|save|anade|crea)\b)",
        whole=True,
    ),
    "web_search": Row(
        r"web search|search web|internet",
        r"(?:\b(?:search|look|find|google|busca\w*|buscar|mira)\b.{0,50}\b(?:web|internet|online|google|en\s+linea|la\s+red)\b|"
        r"^\W*(?:please\s+|can\s+you\s+)?google\s+(?!cal)|\bweb\s+search\b|\bwhat\s+does\s+the\s+(?:web|internet)\b|"
        r"\bin\s+the\s+internet\b)",
        whole=True,
    ),
    "campus_links": Row(
        r"static links|campus links|useful links",
        r"(?:\b(?:link|page|website|address|url|enlace|pagina|web)\s+(?:of|to|for|about|with|del?|de\s+la|a|al|para)\s+(?:the\s+)?.{0,30}"
        r"\b(?:library|tutoring|help\s+desk|campus|writing\s+cent\w+|registrar|biblioteca|tutorias?|hours|citing|cit\w+|study\s+tips)|"
        r"\bwhere\b.{0,30}\b(?:link|website|web\s+page)\b|\b(?:useful|campus|important)\s+links\b|\benlaces\s+(?:utiles|del\s+campus)\b|"
        r"\bhow\s+do\s+i\s+reach\s+the\s+(?:library|help\s+desk)\b|\b(?:library|help\s+desk)\s+(?:link|website|page)\b|"
        r"\blibrary\s+(?:opening\s+)?hours\b|\bwhen\s+(?:is|does)\s+the\s+library\s+open|\bhorario\s+de\s+la\s+biblioteca\b)",
        unless=URL,
    ),
    # Notes and documents.
    "tracker": Row(
        r"create tracker",
        r"(?:\b(?:make|create|build|set\s+up|start|give|new|crea\w*|haz\w*|prepara\w*)\b.{0,30}\b(?:tracker|tabla\s+de\s+seguimiento|seguimiento))",
        "create",
        whole=True,
    ),
    "update_entry": Row(
        r"update entry|edit entry",
        r"(?:\b(?:mark|set|change|update|tick|move|marca\w*|pon\w*|cambia\w*|actualiza\w*)\b.*" + TRACKER + r")",
        "change",
        whole=True,
    ),
    "add_entries": Row(
        r"add entr|insert row|add row",
        r"(?:\b(?:add|put|insert|enter|log|anade\w*|agrega\w*|mete|pon)\b.*\b(?:to|in|into|a|al|en)\b.{0,20}"
        + TRACKER
        + r")",
        "create",
        whole=True,
    ),
    "query_database": Row(
        r"query (?:database|data)",
        TRACKER,
        unless=r"\b(?:page|search|find)\b",
    ),
    "notes_plan": Row(
        r"create study plan",
        r"(?:\b(?:make|create|write|put|save|build|crea\w*|haz\w*|guarda\w*)\b.*\b(?:study\s+(?:plan|schedule)|plan\s+de\s+estudio)\b.*\bnotion\b|"
        r"\bnotion\b.*\b(?:study\s+plan|plan\s+de\s+estudio)\b)",
        "create",
        whole=True,
    ),
    "study_notes": Row(
        r"study notes",
        r"(?:\b(?:make|create|write|take|prepare|crea\w*|haz\w*|prepara\w*)\b.{0,25}\b(?:study\s+(?:notes|guide|sheet)|notas\s+de\s+estudio|"
        r"apuntes\s+(?:de\s+estudio|para\s+estudiar))\b)",
        "create",
        whole=True,
    ),
    "replace_page": Row(
        r"replace (?:content|page)|rewrite",
        r"(?:\b(?:replace|rewrite|overwrite|reescrib\w*|sustituy\w*|reemplaz\w*)\b.{0,40}\b(?:page|notes?|content|pagina|apuntes|notas)\b)",
        "change",
        whole=True,
    ),
    "list_pages": Row(
        r"list pages",
        r"(?:\b(?:all|list|which|what|every|que|todas|lista)\b.{0,25}\b(?:pages|paginas|databases|bases\s+de\s+datos)\b.{0,30}\b(?:notion|have|there|tengo|hay)\b|"
        r"\b(?:pages|paginas)\s+(?:are\s+|do\s+i\s+have\s+)?(?:in|en)\s+(?:my\s+|mi\s+)?notion\b|\bwhat(?:'s|\s+is)\s+in\s+my\s+notion\b|"
        r"\bque\s+(?:hay|tengo)\s+en\s+(?:mi\s+)?notion\b|\b(?:list|show)\b.{0,20}\bnotion\s+pages\b|\bpages\s+under\b)",
        unless=r"\b(?:about|sobre|search|find)\b",
    ),
    "create_document": Row(
        r"documents? create|create document",
        r"(?:\b(?:create|make|start|write|new|open|crea\w*|haz\w*|empieza|escrib\w*|nuevo)\b(?:\s+\w+){0,3}?\s+"
        + DOCUMENT
        + r")",
        "create",
        whole=True,
    ),
    "summarise_document": Row(
        r"documents? summar|summari[sz]e",
        r"(?:\b(?:summar\w*|sum\s+up|outline\s+of|overview\s+of|resum\w*|gist\s+of|tl;?dr)\b.{0,40}\b(?:document|documento|docs?|essay|draft|letter|page|notes|"
        r"apuntes|notas|pagina|ensayo|borrador|carta)\b)",
        unless=r":\s*\S{3}",
    ),
    "edit_document": Row(
        r"documents? edit|edit document",
        r"(?:\b(?:add|change|replace|edit|put|write|anade\w*|cambia\w*|edita\w*)\b.{0,60}\b(?:to|in|into|of|at|a|al|en|del?)\b.{0,20}"
        + DOCUMENT
        + r")",
        "append",
        whole=True,
    ),
    "read_document": Row(
        r"documents? (?:get|read)|get document",
        r"(?:\b(?:read|open|show|get|what\s+does|what's\s+in|lee\w*|abre|muestra\w*|que\s+dice)\b.{0,50}"
        + DOCUMENT
        + r")",
        unless=r"\b(?:find|search|list)\b",
    ),
    # Planner.
    "plan_tasks": Row(
        r"planner plan|plan tasks",
        r"(?:\b(?:order|sequence|sort|arrange|orden\w*)\b.{0,40}"
        + PLANNER_TASK
        + r"|\bplan\s+(?:out\s+)?my\s+(?:tasks|to-?dos)\b|"
        + PLANNER_TASK
        + r".{0,30}\b(?:order|sequence|orden)\b|\bwhich\s+(?:of\s+my\s+)?tasks?\b.{0,20}\b(?:first|next)\b)",
    ),
    "blocked_tasks": Row(
        r"list blocked",
        r"(?:\bblocked\b|\bheld\s+up\b|\bholding\s+(?:me|things|my)\b|\bbloquead[ao]s?\b|\bwaiting\s+for\s+other\b|\bstuck\b.{0,20}"
        + PLANNER_TASK
        + r")",
        unless=r"\bis\s+blocked\s+(?:by|because)|\bmark\b|\bbecause\b",
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
        r"(?:\b(?:reopen|re-open|reabr\w*)\b|\b(?:isn't|is\s+not|wasn't)\s+(?:really\s+)?(?:done|finished)\s*(?:yet|after\s+all)|\bopen\b.{0,50}\btask\b.{0,20}\bagain\b|"
        r"\bopen\s+(?:the\s+)?task\b.{0,50}\bagain\b)",
        "change",
        whole=True,
    ),
    "complete_task": Row(
        r"complete task|finish task",
        r"(?:\b(?:mark|tick|check|set|marca\w*)\b.{0,60}\b(?:done|complete|completed|finished|off|hecha|hecho|terminad[ao]|completad[ao])\b|"
        r"\bi(?:'ve|\s+have)?\s+(?:just\s+)?(?:finished|completed|done\s+with)\b.{0,60}" + PLANNER_TASK + r"|"
        r"\b(?:finish|complete)\s+(?:the\s+|my\s+)?task\b|\btask\b.{0,50}\bis\s+(?:done|finished)\b|\bhe\s+terminado\b)",
        "change",
        unless=TRACKER,
        whole=True,
    ),
    "start_task": Row(
        r"planner start|start task",
        r"(?:\b(?:start|started|begin|began|starting|beginning|empiezo|empezado|empece)\b.{0,50}"
        + PLANNER_TASK
        + r"|\bi(?:'m|\s+am)\s+(?:now\s+)?(?:working\s+)?on\s+(?:the\s+|my\s+).{2,40}\s+now\b|\bmark\b.{0,50}\bas\s+(?:started|in\s+progress)\b)",
        "change",
        unless=TRACKER + r"|\bwhich\b|\bshould\b",
        whole=True,
    ),
    "block_task": Row(
        r"block task",
        r"(?:\b(?:can't|cannot|can\s+not|couldn't)\s+(?:go\s+on|continue|finish|do|start|work)\b.{2,60}(?:,|\bbecause\b|\bsince\b|\bas\b|\buntil\b)|"
        r"\b(?:block|mark)\b.{0,60}\b(?:blocked|because)\b|\bis\s+blocked\s+(?:by|because)|\bno\s+puedo\s+(?:seguir|continuar)\b.{0,60}(?:,|\bporque\b))",
        "change",
        unless=r"\?\s*$|@",
        whole=True,
    ),
    "edit_task": Row(
        r"planner (?:edit|update)|edit task|update task",
        r"(?:^\W*(?:the\s+|my\s+)?(?P<task>[\w' ]{3,40}?)\s+(?:needs?|depends?\s+on|has\s+to\s+wait\s+for|must\s+wait\s+for|waits?\s+for|comes\s+after)\s+"
        r"(?:the\s+|my\s+)?[\w' ]{3,40}|\b(?:change|rename|edit|move|cambia\w*)\b.{0,50}\b(?:task|to-?do|due\s+date\s+of\s+(?:the|my)\s+task|tarea)\b|"
        r"\bcan\s+wait\s+until\b)",
        "change",
        unless=r"\?\s*$|\bcalendar\b",
        whole=True,
    ),
    # Calendar.
    "study_sessions": Row(
        r"study sessions|create sessions",
        r"(?:\b(?:plan|schedule|book|add|put|create|set\s+up|spread|planifica\w*|programa\w*|reserva\w*|anade\w*|pon\w*)\b.{0,40}"
        r"\b(?:two|three|four|five|six|several|some|a\s+few|[2-9]|dos|tres|cuatro|cinco|varias)\b.{0,30}\b(?:sessions|blocks|times|sesiones|bloques)\b)",
        "create",
        whole=True,
    ),
    "add_due_date": Row(
        r"add due date|due date event",
        r"(?:\b(?:put|add|enter|copy|save|pon\w*|anade\w*|agrega\w*|mete)\b.{0,20}\b(?:due\s+date|deadline|fecha\s+(?:de\s+entrega|limite)|entrega)\b.{0,60}"
        r"\b(?:calendar|calendario|agenda)\b|\b(?:put|add|pon\w*|anade\w*)\b.{0,60}\b(?:due\s+date|deadline)\b.{0,10}(?:to|in|into|on)\s+my\s+calendar)",
        "create",
        unless=r"\b(?:all|every|deadlines|dates|todas|fechas)\b",
        whole=True,
    ),
    "list_calendars": Row(
        r"list calendars|get calendars",
        r"(?:\b(?:which|what|list|show|how\s+many|que|cuales|cuantos|lista)\b.{0,15}\b(?:calendars|calendarios)\b)",
    ),
    "conflicts": Row(
        r"conflict|clash|overlap",
        r"(?:\bconflict\w*|\bclash\w*|\bdouble[-\s]?book\w*|\boverlap\w*|\bchoca\w*|\bsolapa\w*|\bcoincid\w+\b.{0,20}\b(?:eventos|citas|clases)\b|\bat\s+the\s+same\s+time\b)",
        unless=r"\b(?:war|interest|korea|history\s+of)\b",
    ),
    "suggest_times": Row(
        r"suggest|best times?|propose times?",
        r"(?:\b(?:best|good|ideal|perfect|nice|mejor|buen)\s+(?:time|times|hour|hours|slot|slots|moment|day|hora|momento|hueco)\b|\bsuggest\b.{0,30}\b(?:times?|slots?|hours?)\b|"
        r"\b(?:propose|recommend|sugier\w*|propon\w*|recomienda\w*)\b.{0,30}\b(?:times?|slots?|horas?|horarios?|hueco)\b|\bwhen\s+should\s+i\s+(?:meet|study|schedule)\b)",
        unless=r"\bdue\b",
    ),
    # Courses.
    "assignment_state": Row(
        r"(?:get|read|show) assignment$",
        r"(?:\b(?:did|have)\s+i\s+(?:already\s+)?(?:hand(?:ed)?\s+in|turn(?:ed)?\s+in|submit(?:ted)?|upload(?:ed)?)\s+(?!any|every|all\b|it\b|my\s+\w+s\b)\w|"
        r"\b(?:average|mean|median|highest|lowest|best)\s+(?:score\s+|grade\s+|mark\s+)?(?:on|in|for|of)\s+(?:the\s+|my\s+)?.{0,25}(?:midterm|quiz|exam|lab|essay|homework|hw|paper|test|"
        r"set)\b|\b(?:feedback|comments?)\s+(?:on|for|about)\b.{2,}|\bwhat\s+did\b.{2,30}\b(?:say|write|comment)\s+(?:on|about)\s+my\s+(?:essay|lab|paper|homework|quiz|midterm)|"
        r"\bhe\s+entregado\s+(?:el|la|mi)\b|\bentregue\s+(?:el|la|mi)\b|\brubrica\b|\brubric\b)",
        unless=r"\b(?:discussion|forum|page|notion|document|announce)\b",
        is_only=False,
    ),
    "graded_work": Row(
        r"list assignments$",
        r"(?:\b(?:got|gotten|been|was|were|newly|just)\s+graded\b|\bgraded\s+(?:lately|recently|this|in\s+the\s+last|since)\b|\bwhat\s+(?:has|have|did)\b.{0,30}\bgrade[d]?\b(?!s).{0,12}$|"
        r"\b(?:corregid[oa]s?|calificad[oa]s?)\s+(?:ultimamente|recientemente|ya)\b|\b(?:han|ha)\s+(?:corregido|calificado)\b|\bwaiting\s+(?:for\s+(?:a\s+)?grad\w+|to\s+be\s+graded))",
        is_only=False,
    ),
    "forecast": Row(
        r"forecast|predict|what if|simulate",
        r"(?:\bwhat\s+(?:grade\s+|score\s+|percentage\s+|mark\s+)?(?:do|would|will|must|should)\s+i\s+(?:need|have\s+to\s+(?:get|score))\b|"
        r"\bhow\s+(?:much|many\s+points|high|well)\b.{0,20}\bi\s+(?:need|have)\b.{0,60}\b(?:on|in|for|to)\b|\bwhat\s+if\s+i\s+(?:get|got|score|scored|fail|skip|have|had|receive)\b|"
        r"\bif\s+i\s+(?:get|got|score|scored)\b.{1,40}\b(?:on|in)\b|\bcan\s+i\s+(?:still|even|possibly)\s+(?:pass|get|reach|make|end\s+up|earn|fail)\b|"
        r"\bi\s+need\s+(?:on|in)\s+(?:the|my)\b|\bneed\s+to\s+(?:get|score)\s+(?:on|in|for|at\s+least)\b|\bto\s+(?:pass|get\s+an?\s+[a-d]\b|end\s+with)|\bto\s+keep\s+my\s+[a-d]\b|"
        r"\bque\s+(?:nota\s+)?(?:necesito|tengo\s+que\s+sacar|debo\s+sacar|hace\s+falta)\b|\bcuanto\s+(?:necesito|tengo\s+que\s+sacar)\b|\by?\s*si\s+saco\b|\bpuedo\s+(?:aun|todavia)\s+(?:aprobar|sacar)|"
        r"\b(?:aun|todavia)\s+puedo\s+(?:aprobar|sacar)\b)",
        unless=r"\bremind\b|\bcalendar\b|\bpass\s+out\b",
    ),
    "syllabus": Row(
        r"syllabus",
        r"(?:\bsyllab\w+|\blate\s+(?:policy|work\s+policy|penalt\w+|days)\b|\b(?:policy|policies|rules?)\b.{0,20}\b(?:late|attendance|absence\w*|grading|collaboration|ai)\b|"
        r"\b(?:late|attendance|grading|collaboration|absence)\s+(?:policy|policies|rules?)\b|\boffice\s+hours\s+(?:of|in|for)\b|\b(?:what|when)\b.{0,20}\boffice\s+hours\b|"
        r"\bcourse\s+(?:rules|policies|outline|description)\b|\bguia\s+docente\b|\bprograma\s+(?:de|del)\b|\btemario\b|\bnormas\b|\bpolitica\s+de\b|"
        r"\bhanding?\s+(?:things\s+|work\s+)?in\s+late\b|\bif\s+i\s+(?:hand|turn|submit)\b.{0,20}\blate\b)",
        unless=r"\b(?:put|add|schedule|book|move|cancel)\b",
    ),
    "modules": Row(
        r"modules?$",
        r"(?:\bmodules?\b|\bmodulos?\b|\b(?:course|class|learning|reading)\s+materials?\b|\bmaterials?\b.{0,20}\b(?:in|of|for|from)\b|\bunit\s+\d|\bunidad\s+\d|"
        r"\bmateriales?\b|\bunits\b.{0,20}\b(?:in|of)\b)",
        unless=r"\bquiz\b|\bexam\b|\bnotes\b|\bapuntes\b",
    ),
    "discussion": Row(
        r"(?:get|read|open) (?:discussion|topic|forum)",
        r"(?:\b(?:what|read|open|show|summar\w*|did\s+i|que|lee|muestra\w*|abre|tell)\b.{0,60}\b(?:discussion|forum|thread|debate|foro|hilo)\b(?!\s*(?:posts?\b|s\b|boards?|topics?))"
        r"|\b(?:discussion|forum|thread|foro|debate)\s+(?:about|on|sobre)\b)",
        unless=r"\b(?:unread|new|open|any|which|sin\s+leer|nuevos?|all|are\s+there)\b.{0,20}\b(?:discussions?|forums?|threads?|foros?)\b|\bdue\b",
    ),
    "discussions": Row(
        r"(?:list )?(?:discussions|topics|forums)$",
        r"(?:\bdiscussions?\b|\bforums?\b|\bmessage\s+boards?\b|\bunread\s+(?:posts?|topics?)\b|\bforos?\b|\bdebates?\b|\bthreads\b)",
        unless=r"\b(?:due|submit|hand|turn|grade|entregar)\b",
    ),
    "todo": Row(
        r"list to ?do$",
        r"(?:\bcanvas\b.{0,20}\b(?:to-?\s?dos?|planner)\b|\bto-?\s?do\s+list\b.{0,20}\b(?:in|on|from|en)\s+canvas\b|\bpeer[-\s]reviews?\b|\breviews?\b.{0,20}\b(?:classmates?|owe)\b|"
        r"\brevision(?:es)?\s+(?:por|entre)\s+(?:pares|companeros)\b|\blista\s+de\s+tareas\s+de\s+canvas\b|\btareas\s+pendientes\s+(?:en|de)\s+canvas\b)",
        unless=r"^\W*(?:add|put|create|new|remind)\b",
    ),
    "workload": Row(
        r"workload",
        r"(?:\bwork\s?load\b|\bhow\s+(?:busy|heavy|bad|stressful|packed|intense)\b.{0,40}\b(?:week|weeks|semester|term|month)\b|\b(?:which|what)\s+week\b.{0,30}\b(?:worst|busiest|hardest|heaviest)\b|"
        r"\b(?:worst|busiest|hardest|heaviest)\s+week\b|\bhow\s+(?:long|many\s+hours|much\s+time)\b.{0,40}\b(?:homework|assignments?|coursework|work)\b|\bcarga\s+de\s+trabajo\b|\bsemana\s+mas\s+(?:cargada|dura|pesada)\b|"
        r"\bcuantas\s+horas\b.{0,30}\b(?:trabajo|tareas|estudi\w+)\b)",
        unless=r"\b(?:calendar|schedule)\b",
    ),
    "priorities": Row(
        r"priorit|rank",
        r"(?:\bpriorit\w*|\bprioriz\w*|\bprioridad\w*|\b(?:should|shall|do|must|could)\s+i\s+(?:work\s+on|do|start|tackle|begin|focus\s+on|study)\b.{0,20}\b(?:first|with|now|next|tonight)\b|\bwhere\s+(?:do|should|shall)\s+i\s+(?:start|begin)\b|"
        r"\bmost\s+(?:urgent|important|pressing)\b|\bwhat\s+matters\s+most\b|\bmas\s+urgente\b|\bmas\s+importante\b|\b(?:por|con)\s+(?:donde|que|cual)\s+(?:empiezo|empezar|comienzo)\b|\bque\s+(?:hago|deberia\s+hacer)\s+primero\b|"
        r"\bwhat(?:'s|\s+is)\s+(?:the\s+)?(?:first|most)\s+thing\s+(?:i|to)\b|\bwhat\s+(?:to|should\s+i)\s+(?:do|tackle|work\s+on)\s+(?:first|next|now)\b|\b(?:have|got)\s+(?:\w+\s+){1,3}hours?,?\s+what\s+(?:now|should))",
    ),
    "study_plan": Row(
        r"study plan|plan study",
        r"(?:\bstudy\s+(?:plan|schedule)\b|\bplan\s+(?:out\s+)?my\s+(?:study\w*|work|homework|week\s+of\s+study\w*|assignments|coursework|studies)\b|\bplan\s+de\s+estudio\w*|"
        r"\bhelp\s+me\s+plan\b|\bplan\s+(?:for\s+)?(?:the|my|this|next)\s+(?:study\s+)?(?:week|days)\b|\borganiza\w*\s+mi\s+(?:semana|estudio)|\bplanifica\w*\s+mi\s+(?:semana|estudio)|"
        r"\bwhat\s+should\s+i\s+study\s+(?:on\s+)?(?:which|each|every)\b|\bspread\s+(?:out\s+)?my\s+(?:work|assignments|homework)\b)",
        unless=r"\bnotion\b|\b(?:put|add)\b.*\bcalendar\b|\bplans\b",
    ),
    "ask_student": Row(r"ask (?:the )?(?:student|user)", r"(?!)"),
}
