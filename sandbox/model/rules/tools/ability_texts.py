"""Special abilities around texts, the web and notes: how such tools are named and how students ask for them.

Patterns are on folded text, English and Spanish; blanks in `said` and `unless` count only as `\\s`. Earlier rows win.
"""

from sandbox.model.rules.planning.campus_vocabulary import REPOSITORY_NEWS
from sandbox.model.rules.tools.ability_row import DOCUMENT, REPO, TRACKER, URL, Row

ROWS = {
    # Writing: the text itself may be about anything, so these come first.
    "grammar": Row(
        r"grammar|spell|proofread",
        r"(?:\b(?:check|correct|fix|proofread|improve|look\s+over|revisa|corrige"
        r"|comprueba)\b.{0,40}\b(?:grammar|spelling|wording|"
        r"mistakes|typos|punctuation|english|gramatica|ortografia|errores|faltas)\b|\bproof-?read\b|"
        r"\b(?:grammar|spelling)\s+(?:check|mistakes|errors)|\b(?:any|find)\s+(?:\w+\s+){0,2}(?:mistakes"
        r"|typos|errors)\b"
        r".{0,30}:|\bgrammatically\s+correct\b|\bis\s+(?:this|my)\s+(?:\w+\s+)?(?:sentence|paragraph|text"
        r"|english)\s+(?:correct|right|ok)|\b(?:mistakes|errors|typos|errores|faltas)\b.{0,20}\b(?:in|en)\b.{0,20}:)",
        whole=True,
    ),
    "readability": Row(
        r"readab",
        r"(?:\breadab\w*|\b(?:hard|easy|difficult|clear)\s+(?:is\b.{0,30}|.{0,20}\b)to\s+read\b"
        r"|\breading\s+(?:level|ease|grade)\b|"
        r"\bhow\s+(?:hard|easy|difficult)\s+is\s+(?:this|my|the)\s+(?:\w+\s+)?(?:text|paragraph|essay|draft"
        r"|passage)\b|"
        r"\b(?:text|paragraph|writing|essay)\b.{0,20}\btoo\s+(?:complicated|complex|hard|difficult"
        r"|long-winded)|\blegib\w*|\blegible\b|\bfacil\s+de\s+leer\b|\bdificil\s+de\s+leer\b)",
        whole=True,
    ),
    "mail": Row(
        r"\be?-?mail\b",
        r"(?:\b(?:draft|write|compose|prepare|send|redacta\w*|escrib\w+|prepara\w*|envia\w*|manda\w*)\b.{0,25}"
        r"\b(?:e-?mail|mail|message|correo)\b|^\W*(?:please\s+|can\s+you\s+|could\s+you\s+)?(?:e-?mail|mail"
        r"|write\s+to)\s+"
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
        + r".*\b(?:cite|citation|bibliograph\w*|apa|mla|cita|citar)\b|\bbibliograph(?:y|ic)\s+entry\b"
        r"|\b(?:in|en|an?|una?)\s+(?:apa|mla)\b|\b(?:apa|mla)\s+(?:citation|entry|reference|format|style)\b"
        r"|\bformato\s+(?:apa|mla)\b|^\W*(?:please\s+|can\s+you\s+)?cite\s)",
        whole=True,
    ),
    "links": Row(
        r"link (?:validator|check)|check links|validat\w* links?",
        r"(?:\b(?:links?|urls?|address|addresses|enlaces?|page|site)\b.*\b(?:work\w*|broken|dead|valid|alive"
        r"|check|ok|"
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
        + r"\S*(?:feed|rss|atom|\.xml)|\bcampus\s+(?:news|feeds?|blog|headlines)\b|\b(?:new|news|happening"
        r"|novedades|nuevo|noticias)"
        r"\s+(?:\w+\s+){0,3}(?:on|at|around|in|from|en|de|del)\s+(?:the\s+|el\s+|la\s+)?(?:campus|university"
        r"|uni|school|college|"
        r"universidad)\b|\b(?:news\s*feeds?|rss|newsletter|headlines)\b|\bnoticias\s+del\s+campus\b"
        r"|\blibrary\s+news\b)",
        unless=r"\b(?:professors?|prof|teachers?|instructors?|class|course)\b",
    ),
    "github": Row(
        r"git\s?hub|repositor",
        r"(?:"
        + REPOSITORY_NEWS
        + r"|\bgit\s?hub\b|"
        + REPO
        + r".*\b(?:readme|releases?|issues?|commits?|pulls?|file|code|repo\w*|source|folder|license|version\w*)\b|"
        r"\b(?:readme|releases?|issues?|commits?|pulls?|file|code|source|folder|license|version\w*)\b.*" + REPO + r")",
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
        r"(?:\bon\s+the\s+(?:web|internet)\b|"
        r"\b(?:find|search|look\s+for|show|get|need)\b.{0,20}\b(?:websites?|web\s*pages?|articles?|sources"
        r"|sites)\s+(?:about|on|for|of)\b|\b(?:encuentra|busca\w*)\b.{0,20}\b(?:paginas?\s+web|articulos|fuentes)\b|"
        r"\b(?:search|look|find|google|busca\w*|buscar|mira)\b.{0,50}\b(?:web|internet|online|google"
        r"|en\s+linea|la\s+red)\b|"
        r"^\W*(?:(?:please|can\s+you|puedes|por\s+favor)\s+)*(?:investiga\w*|research\s+(?!papers?|questions?|projects?))\b"
        r"(?!.*\b(?:my|mis?|notes|apuntes|due)\b)|"
        r"\b(?:look\s+up|search\s+for)\b(?!.*\b(?:my|notes?|calendar|canvas)\b).*\b(?:links?|sources?)\b|"
        r"^\W*(?:please\s+|can\s+you\s+)?google\s+(?!cal)|\bweb\s+search\b|\bwhat\s+does\s+the\s+(?:web|internet)\b|"
        r"\bin\s+the\s+internet\b)",
        whole=True,
    ),
    "campus_links": Row(
        r"static links|campus links|useful links",
        r"(?:\b(?:link|page|website|address|url|enlace|pagina|web)\s+(?:of|to|for|about|with|del?|de\s+la|a"
        r"|al|para)\s+(?:the\s+)?.{0,30}"
        r"\b(?:library|tutoring|help\s+desk|campus|writing\s+cent\w+|registrar|biblioteca|tutorias?|hours"
        r"|citing|cit\w+|study\s+tips)|"
        r"\bwhere\b.{0,30}\b(?:link|website|web\s+page)\b|\b(?:useful|campus|important)\s+links\b"
        r"|\benlaces\s+(?:utiles|del\s+campus)\b|"
        r"\bhow\s+do\s+i\s+reach\s+the\s+(?:library|help\s+desk)\b|\b(?:library|help\s+desk)\s+(?:link"
        r"|website|page)\b|"
        r"\blibrary\s+(?:opening\s+)?hours\b|\bwhen\s+(?:is|does)\s+the\s+library\s+open"
        r"|\bhorario\s+de\s+la\s+biblioteca\b)",
        unless=URL,
    ),
    # Notes and documents.
    "tracker": Row(
        r"create tracker",
        r"(?:\b(?:make|create|build|set\s+up|start|give|new|crea\w*|haz\w*|prepara\w*)\b.{0,30}\b(?:tracker"
        r"|tabla\s+de\s+seguimiento|seguimiento))",
        "create",
        whole=True,
    ),
    "update_entry": Row(
        r"update entry|edit entry",
        r"(?:\b(?:mark|(?<!problem\s)set|change|update|tick|move|marca\w*|pon\w*|cambia\w*|actualiza\w*)\b.*"
        + TRACKER
        + r")",
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
        r"(?:\b(?:make|create|write|put|save|build|crea\w*|haz\w*|guarda\w*)\b.*\b(?:study\s+(?:plan"
        r"|schedule)|plan\s+de\s+estudio)\b.*\bnotion\b|"
        r"\bnotion\b.*\b(?:study\s+plan|plan\s+de\s+estudio)\b)",
        "create",
        whole=True,
    ),
    "study_notes": Row(
        r"study notes",
        r"(?:\b(?:make|create|write|take|prepare|crea\w*|haz\w*|prepara\w*)\b.{0,25}\b(?:study\s+(?:notes"
        r"|guide|sheet)|notas\s+de\s+estudio|"
        r"apuntes\s+(?:de\s+estudio|para\s+estudiar))\b)",
        "create",
        whole=True,
    ),
    "replace_page": Row(
        r"replace (?:content|page)|rewrite",
        r"(?:\b(?:replace|rewrite|overwrite|reescrib\w*|sustituy\w*|reemplaz\w*)\b.{0,40}\b(?:page|notes?"
        r"|content|pagina|apuntes|notas)\b)",
        "change",
        whole=True,
    ),
    "list_pages": Row(
        r"list pages",
        r"(?:\b(?:all|list|which|what|every|que|todas|lista)\b.{0,25}\b(?:pages|paginas|databases"
        r"|bases\s+de\s+datos)\b.{0,30}\b(?:notion|have|there|tengo|hay)\b|"
        r"\b(?:pages|paginas)\s+(?:are\s+|do\s+i\s+have\s+)?(?:in|en)\s+(?:my\s+|mi\s+)?notion\b|\bwhat(?:'s"
        r"|\s+is)\s+in\s+my\s+notion\b|"
        r"\bque\s+(?:hay|tengo)\s+en\s+(?:mi\s+)?notion\b|\b(?:list|show)\b.{0,20}\bnotion\s+pages\b"
        r"|\bpages\s+under\b)",
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
        r"(?:\b(?:summar\w*|sum\s+up|outline\s+of|overview\s+of|resum\w*|gist\s+of"
        r"|tl;?dr)\b.{0,40}\b(?:document|documento|docs?|essay|draft|letter|page|notes|"
        r"apuntes|notas|pagina|ensayo|borrador|carta)\b)",
        unless=r":\s*\S{3}",
    ),
    "edit_document": Row(
        r"documents? edit|edit document",
        r"(?:\b(?:add|change|replace|edit|put|write|anade\w*|cambia\w*|edita\w*)\b.{0,60}\b(?:to|in|into|of"
        r"|at|a|al|en|del?)\b.{0,20}" + DOCUMENT + r")",
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
}
