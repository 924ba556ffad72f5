"""Special abilities around calendars and courses: how such tools are named and how students ask for them.

Patterns are on folded text, English and Spanish; blanks in `said` and `unless` count only as `\\s`. Earlier rows win.
"""

from sandbox.model.rules.tools.ability_row import TIME_FOR, Row

ROWS = {
    # Calendar.
    "study_sessions": Row(
        r"study sessions|create sessions",
        r"(?:\b(?:plan|schedule|book|add|put|create|set\s+up|spread|want|need|give\s+me|find|make|set\s+aside"
        r"|planifica\w*|planea\w*|prepara\w*|organiza\w*|agenda\w*|programa\w*|reserva\w*|anade\w*|pon\w*)\b.{0,40}"
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|several|some|a\s+few|[2-9]|1\d|20|dos|tres|cuatro"
        r"|cinco|seis|siete|ocho|nueve|diez|doce|varias)\b.{0,30}\b(?:sessions|blocks|sesiones|bloques)\b|"
        + TIME_FOR
        + r")",
        "create",
        whole=True,
    ),
    "add_due_date": Row(
        r"add due date|due date event",
        r"(?:\b(?:put|add|enter|copy|save|pon\w*|anade\w*|agrega\w*|mete)\b.{0,20}\b(?:due\s+date|deadline"
        r"|fecha\s+(?:de\s+entrega|limite)|entrega)\b.{0,60}"
        r"\b(?:calendar|calendario|agenda)\b|\b(?:put|add|pon\w*|anade\w*)\b.{0,60}\b(?:due\s+date"
        r"|deadline)\b.{0,10}(?:to|in|into|on)\s+my\s+calendar)",
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
        r"(?:\bconflict\w*|\bclash\w*|\bdouble[-\s]?book\w*|\boverlap\w*|\bcho(?:ca|que)\w*|\bsolap\w*"
        r"|\bcoincid\w+\b.{0,20}\b(?:eventos|citas|clases)\b|\bat\s+the\s+same\s+time\b)",
        unless=r"\b(?:war|interest|korea|history\s+of)\b",
    ),
    "suggest_times": Row(
        r"suggest|best times?|propose times?",
        r"(?:\bfind\s+(?:an?|one|two|\d+)\s+(?:hours?|minutes|slot|time)\b.{0,20}\b(?:for\s+(?:me\s+and|us)\b|with\b|to\s+meet\b)|"
        r"\b(?:best|good|ideal|perfect|nice|mejor|buen)\s+(?:time|times|hour|hours|slot|slots|moment|day"
        r"|hora|momento|hueco)\b|\bsuggest\b.{0,30}\b(?:times?|slots?|hours?)\b|"
        r"\b(?:propose|recommend|sugier\w*|propon\w*|recomienda\w*)\b.{0,30}\b(?:times?|slots?|horas?"
        r"|horarios?|hueco)\b|\bwhen\s+should\s+i\s+(?:meet|study|schedule)\b)",
        unless=r"\bdue\b",
    ),
    # Courses.
    "assignment_state": Row(
        r"(?:get|read|show) assignment$",
        r"(?:\b(?:how|what)\s+did\s+i\s+(?:do|score|get)\s+(?:on|in|for)\s+(?:the\s+|my\s+)?(?:lab|quiz"
        r"|essay|midterm|homework|hw"
        r"|problem\s+set|source)\s+(?:\w+\s+)?\d|"
        r"\b(?:prompt|instructions|requirements|brief|guidelines|directions)\s+(?:for|of|to)\b|"
        r"\b(?:did|have)\s+i\s+(?:already\s+)?(?:hand(?:ed)?\s+in|turn(?:ed)?\s+in|submit(?:ted)?"
        r"|upload(?:ed)?)\s+(?!any|every|all\b|it\b|my\s+\w+s\b)\w|"
        r"\b(?:average|mean|median|highest|lowest|best)\s+(?:score\s+|grade\s+|mark\s+)?(?:on|in|for"
        r"|of)\s+(?:the\s+|my\s+)?.{0,25}(?:midterm|quiz|exam|lab|essay|homework|hw|paper|test|"
        r"set)\b|\b(?:feedback|comments?)\s+(?:on|for|about)\b.{2,}|\bwhat\s+did\b.{2,30}\b(?:say|write"
        r"|comment)\s+(?:on|about)\s+my\s+(?:essay|lab|paper|homework|quiz|midterm)|"
        r"\bwhat\s+(?:exactly\s+)?(?:does|do|is|are)\b(?!.{0,20}\b(?:you|http)).{2,40}\b(?:want(?:s|ing)?"
        r"|ask(?:s|ing)?|requires?|expect(?:s|ed)?)\b.{0,12}\b(?:us|me|from|for|to\s+do|of)\b|"
        r"\bhow\s+(?:much|many\s+points)\s+(?:is|are)\b.{2,40}\bworth\b|\bcuanto\s+(?:vale|cuenta"
        r"|pesa)\s+(?:el|la|mi)\b"
        r"|\bhow\s+(?:long|many\s+(?:pages|words))\b.{0,20}\b(?:must|should|does|do|has)\b.{2,30}\b(?:be|have"
        r"|need)\b|\bhe\s+entregado\s+(?:el|la|mi)\b|\bentregue\s+(?:el|la|mi)\b|\brubrica\b|\brubric\b)",
        unless=r"\b(?:discussion|forum|page|notion|document|announce)\b",
        is_only=False,
    ),
    "announced": Row(
        r"announcements$",
        r"(?:\b(?:class|classes|lecture|lab|section|recitation|lesson|clases?)\b.{0,30}\b(?:cancel\w*|moved"
        r"|postponed|called\s+off|trasladad\w*)\b"
        r"|\bannounce(?:d|ments?)?\b|\banunci(?:o|os|ado|aron)\b)",
        unless=r"^\W*(?:please\s+|can\s+you\s+)?(?:add|put|move|cancel|create|remind|schedule|write|draft)\b"
        r"|\b(?:notion|notes|page|calendar)\b",
        is_only=False,
    ),
    "graded_work": Row(
        r"list assignments$",
        r"(?:\b(?:got|gotten|been|was|were|newly|just)\s+graded\b|\bgraded\s+(?:lately|recently|this"
        r"|in\s+the\s+last|since)\b|\bwhat\s+(?:has|have|did)\b.{0,30}\bgrade[d]?\b(?!s).{0,12}$|"
        r"\b(?:corregid[oa]s?|calificad[oa]s?)\s+(?:ultimamente|recientemente|ya)\b|\b(?:han"
        r"|ha)\s+(?:corregido|calificado)\b|\bwaiting\s+(?:for\s+(?:a\s+)?grad\w+|to\s+be\s+graded))",
        is_only=False,
    ),
    "forecast": Row(
        r"forecast|predict|what if|simulate",
        r"(?:\b(?:what|how)\s+would\b.{0,50}\b(?:do\s+to|affect|change|hurt|help)\s+my\s+(?:\w+\s+)?(?:grade"
        r"|average)\b|"
        r"\b(?:what|which|que)\s+(?:score|grade|mark|percentage|result|nota)\b.{0,40}\b(?:gets?|gives?"
        r"|needed|need|required|brings?|da|necesit\w+)\b|"
        r"\bwhat\s+(?:grade\s+|score\s+|percentage\s+|mark\s+)?(?:do|would|will|must|should)\s+i\s+(?:need"
        r"|have\s+to\s+(?:get|score))\b|"
        r"\bhow\s+(?:much|many\s+points|high|well)\b.{0,20}\bi\s+(?:need|have)\b.{0,60}\b(?:on|in|for|to)\b"
        r"|\bwhat\s+if\s+i\s+(?:get|got|score|scored|fail|skip|have|had|receive)\b|"
        r"\b(?:if|suppose|supposing|assuming|imagine|say)\s+(?:that\s+)?i\s+(?:get|got|score|scored|fail|bomb"
        r"|ace)\b.{1,40}\b(?:on|in)\b|\b(?:fail|bomb|ace)\s+(?:the|my)\s+\w+.{0,40}\bgrade\b|\b(?:still"
        r"|even)\s+(?:possible|reachable|realistic|doable|within\s+reach|in\s+reach|get\s+an?\s+[a-d]\b)"
        r"|\bout\s+of\s+reach\b|\bcan\s+i\s+(?:still|even|possibly)\s+(?:pass|get|reach|make|end\s+up|earn|fail|pull|manage|finish\s+with|keep)\b|"
        r"\bi\s+need\s+(?:on|in)\s+(?:the|my)\b|\bneed\s+to\s+(?:get|score)\s+(?:on|in|for|at\s+least)\b"
        r"|\bto\s+(?:pass|get\s+an?\s+[a-d]\b|end\s+with)|\bto\s+keep\s+my\s+[a-d]\b|"
        r"\bque\s+(?:nota\s+)?(?:necesito|tengo\s+que\s+sacar|debo\s+sacar|hace\s+falta)\b"
        r"|\bme\s+(?:alcanza|da)\s+(?:para|con)\b|\b(?:alcanzo|llego)\s+(?:a|al)\s+(?:un|una|\d)"
        r"|\bcuanto\s+(?:necesito|tengo\s+que\s+sacar)\b|\by?\s*si\s+saco\b|\bpuedo\s+(?:aun"
        r"|todavia)\s+(?:aprobar|sacar)|"
        r"\b(?:aun|todavia)\s+puedo\s+(?:aprobar|sacar)\b)",
        unless=r"\bremind\b|\bcalendar\b|\bpass\s+out\b|\bhow\s+much\s+(?:work|homework|time|stuff|reading)\b",
    ),
    "syllabus": Row(
        r"syllabus",
        r"(?:\b(?:text\s?books?|required\s+(?:books?|reading|texts?)|libro\s+de\s+texto|prerequisites?)\b|\bgrad(?:ing|e)\s+(?:breakdown|scheme|scale|weights?|distribution)\b|\bhow\s+(?:much\s+)?(?:is|are)\b.{1,30}"
        r"\bgraded\b|\bcomo\s+(?:se\s+)?(?:califica\w*|evalua\w*|puntua\w*|pondera\w*)\b|\bcriterios\s+de\s+evaluacion\b|"
        r"\bhow\s+(?:strict|picky|serious|lenient|flexible)\b|\baccept\w*\b.{0,20}\blate\b"
        r"|\blate\s+(?:homework|work|assignments?|submissions?)\s+(?:accepted|allowed|count\w*)"
        r"|\bhow\s+does\s+grading\b|"
        r"\bsyllab\w+|\blate\s+(?:policy|work\s+policy|penalt\w+|days)\b|\b(?:policy|policies"
        r"|rules?)\b.{0,20}\b(?:late|attendance|absence\w*|grading|collaboration|ai)\b|"
        r"\b(?:late|attendance|grading|collaboration|absence)\s+(?:policy|policies|rules?)\b"
        r"|\b(?:horas?|horario)\s+de\s+(?:oficina|consulta|atencion|despacho)\b|\boffice\s+hours\s+(?:of"
        r"|in|for)\b|\b(?:what|when)\b.{0,20}\boffice\s+hours\b|"
        r"\bcourse\s+(?:rules|policies|outline|description)\b|\bguia\s+docente\b|\bprograma\s+(?:de|del)\b"
        r"|\btemario\b|\bnormas\b|\bpolitica\s+de\b|"
        r"\b(?:what\s+happens|penalty|points\s+off|lose|allowed|can\s+i|may\s+i|que\s+pasa)\b.{0,30}\b(?:hand"
        r"|turn|submit|late|entreg\w+)\w*\b.{0,25}\b(?:late|tarde)\b|\bextra\s+credit\s+(?:policy|rules?"
        r"|available)\b|\bhow\s+is\s+(?:the\s+)?(?:course|class|grade|.{2,20})\s+graded\b|\bif\s+i\s+(?:hand"
        r"|turn|submit)\b.{0,20}\blate\b)",
        unless=r"\b(?:put|add|schedule|book|move|cancel)\b",
    ),
    "modules": Row(
        r"modules?$",
        r"(?:\b(?:doing|covering|cover|learning|learn|studying|topics?|material|happening|going\s+on|temas?|vemos|hacemos"
        r"|toca)\b.{0,25}\b(?:week|semana)\s+\d+\b|"
        r"\bwhat\s+(?:are|do|will|did)\s+we\s+(?:be\s+)?(?:read(?:ing)?|cover(?:ing)?|learn(?:ing)?|do(?:ing)?|study(?:ing)?)\b.{0,10}\b(?:in|for)\s"
        r"|\bque\s+(?:leemos|vemos|estudiamos|estamos\s+(?:leyendo|viendo))\b.{0,10}\ben\s|\bmodules?\b|\bmodulos?\b|\b(?:course|class|learning|reading)\s+materials?\b"
        r"|\bmaterials?\b.{0,20}\b(?:in|of|for|from)\b|\bunit\s+\d|\bunidad\s+\d|"
        r"\bmateriales?\b|\bunits\b.{0,20}\b(?:in|of)\b)",
        unless=r"\bquiz\b|\bexam\b|\bnotes\b|\bapuntes\b",
    ),
    "discussion": Row(
        r"(?:get|read|open) (?:discussion|topic|forum)",
        r"(?:\b(?:what|read|open|show|summar\w*|did\s+i|que|lee|muestra\w*|abre|tell)\b.{0,60}\b(?:discussion"
        r"|forum|thread|debate|foro|hilo|discusion)\b(?!\s*(?:posts?\b|s\b|boards?|topics?))"
        r"|\b(?:discussion|forum|thread|foro|debate|discusion)\s+(?:about|on|sobre)\b)",
        unless=r"\b(?:people|classmates|discussing|going\s+on)\b|\b(?:unread|new|any|which|sin\s+leer"
        r"|nuevos?|all|are\s+there)\b.{0,20}\b(?:discussions?"
        r"|forums?|threads?|foros?)\b|\bdue\b",
    ),
    "discussions": Row(
        r"(?:list )?(?:discussions|topics|forums)$",
        r"(?:\bdiscussions?\b|\bforums?\b|\bmessage\s+boards?\b|\bunread\s+(?:posts?|topics?)\b|\bforos?\b"
        r"|\bdiscusiones\b|\bdebates?\b|\bthreads\b)",
        unless=r"\b(?:due|submit|hand|turn|grade|owe|left|missing|have\s+to|need\s+to|entregar|debo|faltan?)\b",
    ),
    "todo": Row(
        r"list to ?do$",
        r"(?:\bcanvas\b.{0,20}\b(?:to-?\s?dos?|planner)\b|\bto-?\s?do\s+list\b.{0,20}\b(?:in|on|from"
        r"|en)\s+canvas\b|\bpeer[-\s]reviews?\b|\breviews?\b.{0,20}\b(?:classmates?|owe)\b|"
        r"\brevision(?:es)?\s+(?:por|entre)\s+(?:pares|companeros)\b|\blista\s+de\s+tareas\s+de\s+canvas\b"
        r"|\btareas\s+pendientes\s+(?:en|de)\s+canvas\b)",
        unless=r"^\W*(?:add|put|create|new|remind)\b",
    ),
    "workload": Row(
        r"workload",
        r"(?:\bweeks?\b.{0,40}\b(?:worse|worst|harder|busier|heavier)\b.{0,30}\b(?:work|school|homework"
        r"|courses?|classes)\b|\bhow\s+many\s+hours\s+(?:will|do|would)\b|"
        r"\bcuanto\s+trabajo\b|\bcuanta\s+tarea\b|\bsemana\b.{0,25}\b(?:dura|cargada|pesada|ocupada|tranquila)\b|"
        r"\bwork\s?load\b|\bweeks?\b.{0,25}\b(?:brutal|busy|heavy|hard|rough|tough|bad|stressful|crazy"
        r"|light|easy|packed|intense|killer)\b|\b(?:brutal|busy|heavy|rough|tough|stressful|crazy|light"
        r"|packed|intense)\b.{0,25}\bweeks?\b|\bhow\s+much\s+(?:work|homework|stuff)\b|\bhow\s+(?:busy|heavy"
        r"|bad|stressful|packed|intense)\b.{0,40}\b(?:week|weeks|semester|term|month)\b|\b(?:which"
        r"|what)\s+week\b.{0,30}\b(?:worst|busiest|hardest|heaviest)\b|"
        r"\b(?:worst|busiest|hardest|heaviest)\s+week\b|\bhow\s+(?:long|many\s+hours"
        r"|much\s+time)\b.{0,40}\b(?:homework|assignments?|coursework|work)\b|\bcarga\s+de\s+trabajo\b"
        r"|\bsemana\s+mas\s+(?:cargada|dura|pesada)\b|"
        r"\bcuantas\s+horas\b.{0,30}\b(?:trabajo|tareas|estudi\w+)\b)",
        unless=r"\b(?:calendar|schedule)\b",
    ),
    "priorities": Row(
        r"priorit|rank",
        r"(?:\b(?:deserves?|needs?)\s+my\s+attention\b|\b(?:should\s+come|comes|goes)\s+first\b|"
        r"\brank\b|\bby\s+(?:importance|urgency|priority)\b|\border\s+of\s+(?:importance|urgency)\b"
        r"|\bpor\s+(?:importancia|urgencia)\b|"
        r"\boverwhelmed\b|\bque\s+es\s+lo\s+(?:primero|mas)\b|\bdon\S?t\s+know\s+(?:where"
        r"|what)\s+to\s+(?:start|begin|do)\b|"
        r"\bpriorit\w*|\bprioriz\w*|\bprioridad\w*|\ben\s+que\s+(?:me\s+)?(?:trabajo|enfoco|concentro)\s+(?:primero|ahora|hoy)\b|"
        r"\b(?:should|shall|do|must|could)\s+i\s+(?:even\s+|actually\s+|really\s+)?(?:work\s+on|do"
        r"|start|tackle|begin|focus\s+on|study|finish)\b.{0,20}\b(?:first|with|now|next|tonight)\b"
        r"|\bwhere\s+(?:do|should|shall)\s+i\s+(?:start|begin)\b|"
        r"\b(?:should|shall|do)\s+i\s+(?:tackle|prioriti[sz]e|focus\s+on)\b|\b(?:hours?|tonight|evening"
        r"|minutes|time)\b.{0,25}\bwhat\s+(?:should|shall|could)\s+i\s+(?:do|work|study|start)"
        r"|\bmost\s+(?:urgent|important|pressing)\b|\b(?:can|should)\s+wait\b.{0,30}\bwhat\b"
        r"|\bwhat\b.{0,20}\bcan(?:not|'t)\s+wait\b|\bwhat\s+matters\s+most\b|\bmas\s+urgente\b"
        r"|\bmas\s+importante\b|\b(?:por|con)\s+(?:donde|que|cual)\s+(?:empiezo|empezar|comienzo)\b"
        r"|\bque\s+(?:hago|deberia\s+hacer)\s+primero\b|\brecomiend\w+\b.{0,15}\b(?:hacer|empezar|estudiar)\b|"
        r"\bwhat(?:'s|\s+is)\s+(?:the\s+)?(?:first|most)\s+thing\s+(?:i|to)\b|\bwhat\s+(?:to"
        r"|should\s+i)\s+(?:do|tackle|work\s+on)\s+(?:first|next|now)\b|\b(?:have"
        r"|got)\s+(?:\w+\s+){1,3}hours?,?\s+what\s+(?:now|should))",
    ),
    "study_plan": Row(
        r"study plan|plan study",
        r"(?:\b(?:a|the|some)\s+plan\s+(?:to|for|so)\b|\bplan\s+of\s+attack\b|\bplan\s+(?:my|the)\s+(?:next"
        r"|coming)\b|\bun\s+plan\s+para\b|"
        r"\bstudy\s+(?:plan|schedule)\b|\bplan\s+(?:out\s+)?my\s+(?:study\w*|work|homework"
        r"|week\s+of\s+study\w*|assignments|coursework|studies)\b|\bplan\s+de\s+estudio\w*|"
        r"\bhelp\s+me\s+(?:to\s+)?(?:plan|organi[sz]e|schedule)\b|\b(?:lay|map|work|figure"
        r"|sort)\s+out\b.{0,30}\b(?:when|what|how)\b|\bwhen\s+(?:should|shall|do|to)\s+(?:i\s+)?(?:work"
        r"|study)\s+(?:on\s+)?what\b|\bdivide\s+(?:up\s+)?my\b|\b(?:organi[sz]e|structure)\s+my\s+(?:study\w*"
        r"|week|work|homework)\b|\bplan\s+(?:for\s+)?(?:the|my|this|next)\s+(?:study\s+)?(?:week|days)\b"
        r"|\borganiza\w*\s+mi\s+(?:semana|estudio)|\bplanifica\w*\s+mi\s+(?:semana|estudio)|"
        r"\bwhat\s+should\s+i\s+study\s+(?:on\s+)?(?:which|each|every)\b|\bspread\s+(?:out\s+)?my\s+(?:work"
        r"|assignments|homework)\b)",
        unless=r"\bnotion\b|\b(?:put|add)\b.*\bcalendar\b|\bplans\b",
    ),
    "ask_student": Row(r"ask (?:the )?(?:student|user)", r"(?!)"),
}
