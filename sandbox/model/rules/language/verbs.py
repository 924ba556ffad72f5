"""The verbs of asking and ordering, English and Spanish, and the words that may stand before one."""

# What the student wants done, by the verb at the head of the sentence.
ORDERS = {
    "create": """
        tack, tack on, tag on, slap, nudge, ping me, alert me, poke me, prompt me, line up, squeeze in, fit in, mark,
        mark down, allocate, dedicate, toss in, put down, put in, put up, lock in, hold, get me, set, enter in,
        write up, make note, make a note, make sure, i want to have, sign me up for, coloca, deja, anota que,
        apunta que, avisame, avisarme, reserva un, monta, organizame, planificame, poneme, agendame, quedemos, add,
        append, attach, put, create, make, schedule, book, set up, pencil, pencil in, pop, block, block off,
        block out, reserve, plan, slot, stick, throw, write, jot, save, log, record, new, remind, note, note down,
        draft, start, insert, drop, arrange, organize, set aside, carve out, type up, compose, generate, i have,
        i've got, i must not forget, i mustn't forget, i can't forget, i shouldn't forget, i must remember,
        i better remember, remember, enter, register, toss, schedule in, sign me up, don't let me forget,
        dont let me forget, let's have, lets have, let's do, lets do, let's meet, lets meet, hagamos, don't forget,
        dont forget, anade, anadir, agrega, agregar, anademe, agregame, pon, poner, ponme, ponlo, crea, crear, creame,
        programa, programar, agenda, agendar, reserva, reservar, reservame, apunta, apuntar, apuntame, anota, anotar,
        anotame, guarda, guardar, guardame, escribe, escribir, recuerdame, recordarme, mete, meter, planifica,
        planificar, organiza, bloquea, haz, hazme, incluye, que no se me olvide, registra""",
    "change": """
        invite, invita, invitar,
        relocate, transfer, tweak, alter, amend, stretch, trim, cut short, slide, flip, prolong, put back,
        put forward, bring it forward, modify, corre, atrasa, atrasar, atrasalo, adelantame, cambiame, mueveme,
        pasame, prolonga, move, change, reschedule, update, edit, rename, push, push back, shift, postpone, delay,
        extend, shorten, lengthen, make it, make that, make them, switch, bump, bring forward, convert, correct,
        adjust, retitle, set it, set that, pull forward, start it, end it, swap, turn it into, have it, i meant,
        actually make, put it off, put it at, call it, mueve, mover, muevelo, muevela, cambia, cambiar, cambialo,
        cambiala, reprograma, reprogramar, reprogramalo, actualiza, actualizar, edita, editar, aplaza, aplazar,
        aplazalo, pospon, posponer, posponlo, retrasa, retrasar, retrasalo, adelanta, adelantar, adelantalo, alarga,
        alargar, alargalo, acorta, acortar, renombra, pasa, pasar, pasalo, pasala, modifica, modificar, hazlo, hazla,
        corrige, traslada, que sea, que dure, ponlo a, ponla a""",
    "delete": """
        ax, axe, nuke, withdraw, abort, call it off, throw out, take away, clear out, get it off, quitame, borrame,
        cancelame, eliminame, cancel, delete, remove, clear, scrap, get rid of, call off, erase, trash, wipe,
        unschedule, take off, take it off, take that off, take it out, take that out, take them off, take out, kill,
        nix, skip, drop it, drop that, drop the, drop my, forget about, undo, ditch, bin, elimina, eliminar,
        eliminalo, eliminala, borra, borrar, borralo, borrala, cancela, cancelar, cancelalo, cancelala, quita, quitar,
        quitalo, quitala, anula, anular, anulalo, suprime, deshaz""",
    "search": """
        track down, hunt down, look through, scan for, check if i have, which pages, which notes, what pages,
        what notes, que paginas, que apuntes, rastrea, find, have i written, did i write anything, do i have any,
        do i have anything, have i got any, are there any, is there any, is there a, is there an, are there,
        is there anything, tengo algun, tengo alguna, hay algun, hay alguna, hay algo, search, look for, look up,
        where, locate, dig up, dig out, hunt, browse, lookup, search for, busca, buscar, buscame, encuentra,
        encontrar, encuentrame, donde, localiza""",
    "open": """
        flip to, go to, take me to, load, ir a, llevame a, open, read, pull up, bring up, summarize, summarise,
        sum up, go through, recap, tldr, show me the page, view, abre, abrir, abreme, lee, leer, leeme, resume,
        resumir, resumeme""",
    "read": """
        gimme, whatever, lemme see, lemme know, wanna see, wanna know, curious, remind me of, list out, tell me if,
        tell me whether, let me know, check if,
        check whether, see if, find out if, find out when, find out what, dime si, mira si, comprueba, comprueba si,
        revisa si, quiero ver, quiero saber, sabes si, sabes que, show, list, tell, see, check, get, give, display,
        look at, look, review, remind me what, remind me when, let me see, what, when, how, which, who, is, are, am,
        do, does, did, have, has, any, anything, can i, could i, should i, will, walk me through, catch me up,
        run through, fetch, grab, count, whats, what's, hows, how's, whens, when's, why, muestra, muestrame, mostrar,
        ensename, lista, dime, decir, ver, revisa, revisar, consulta, dame, que, cuando, cual, cuales, cuanto, cuanta,
        cuantos, cuantas, como, quien, hay, tengo, tienes, estoy, voy, he, me, ha, han, checa, mira""",
}
# Politeness and circling before the verb; dropped again and again from the front.
LEADS = """
    any chance you could, any way you could, when you get a chance, if you can, if possible, real quick,
    i was hoping you could, i was thinking, you should, you can, it would be great if you could, do me a favor and,
    be a dear and, go on and, gonna, gotta, i am going to, i'm going to, im going to, i will, i'll, we'll,
    hazme el favor de, hazme un favor, serias tan amable de, me harias el favor de, quiero que me, necesito que me,
    podrias por favor, te importa, voy a, please, pls, plz, hey, hi, hello, ok, okay, so, and, also, then, well, um,
    uh, yo, yes, yeah, yep, sure, great, perfect, thanks, thank you, can you, could you, can u, could u, would you,
    will you, can we, could we, i want to, i wanna, i want you to, i'd like to, id like to, i'd like you to,
    i would like to, i would like you to, i need to, i need you to, i have to, i gotta, i'm trying to, im trying to,
    i was wondering if you could, do you mind, would you mind, mind, help me, help me to, let's, lets, let me,
    go ahead and, just, quickly, quick, kindly, maybe, now, actually, first, oh, btw, by the way, bro, dude, homeroom,
    claude, is it possible to, is there any way to, are you able to, i think we should, we should, we need to,
    i should, wait, sorry, no, nah, go, try to, try, please can you, also can you, after that, next, finally, alright,
    right, cool, awesome, nice, listen, it'd be great to, por favor, porfa, oye, hola, vale, bueno, y, ademas, luego,
    entonces, puedes, podrias, puede, podria, quiero, quisiera, necesito, me gustaria, quiero que, necesito que,
    tengo que, hay que, me puedes, me podrias, ayudame a, si, claro, gracias, ahora, mejor, perfecto, tambien,
    despues, primero, pues, a ver, querria, debo"""
# A question about the world rather than about the student's own things, when it comes without "my" or a date.
KNOWLEDGE = """
    explain, define, describe, prove, translate, what is a, what is an, what does * mean, what does the word, who was,
    who is, who were, why do, why does, why is, why are, how do you, how does, how did, how do, what are the,
    what causes, what caused, tell me about, tell me a, what happened in, difference between, solve, calculate,
    compute, derive, convert, proofread, paraphrase, rewrite, brainstorm, quiz me, teach me, give me an example,
    give me a sprint, help me understand, pretend, imagine, what's the capital, what is the capital, meaning of,
    recommend, what kind of, meet in the middle, let's meet in the middle, the square root, what's a, whats a,
    what are, should i use, how to, explica, explicame, definir, demuestra, traduce, que es un, que es una, que es la,
    que es el, que significa, quien fue, por que, resuelve, calcula, diferencia entre, ensename a, como se,
    como funciona, cuentame un, chiste, joke, poem, poema, story about, cuento"""
# Asking for the work itself to be done.
DO_MY_WORK = """
    write my essay, write my paper, write the essay, write an essay, write me an essay, write my lab report,
    do my homework, do my assignment, do my problem set, do my pset, do my lab, write my assignment, finish my essay,
    finish my homework, answer my quiz, take my quiz, complete my assignment, complete my homework,
    write my discussion post, solve my homework, solve my problem set, write my thesis, write my report,
    write a paper, write the paper, write me a paper, write an entire essay, essay for me, homework for me,
    paper for me, give me the answers, solve question, solve problem, answers to the quiz, answers to my,
    solve my assignment, write it for me, report for me, escribe mi ensayo, escribeme un ensayo, escribeme el ensayo,
    hazme la tarea, haz mi tarea, haz mis deberes, hazme los deberes, escribe el ensayo,
    me escribes el ensayo, me escribes un ensayo, me escribes mi ensayo, me haces la tarea, me haces el ensayo,
    redacta mi ensayo, resuelve mi tarea, hazme el trabajo, haz mi trabajo, ensayo por mi, escribe un ensayo"""
# First person, which makes a question one about the student's own things.
OWN = """
    i, my, me, mine, our, we, us, i'm, im, i've, i'll, mi, mis, tengo, yo, nuestro, nuestra, nos, estoy, voy, puedo,
    debo, hago, he"""
FUNCTION_WORDS = """
    a, an, the, of, in, on, at, to, for, from, with, and, or, but, by, is, are, am, be, was, were, do, does, did, it,
    its, this, that, these, those, there, here, i, me, my, mine, you, your, we, us, our, he, she, they, them, his,
    her, their, what, whats, what's, when, where, which, who, how, why, any, some, all, anything, something, please,
    same, mismo, misma, can, could, would, will, should, shall, may, might, have, has, don't, dont, can't, cant,
        won't, wont, isn't, isnt,
    aren't, doesn't, doesnt, didn't, didnt, haven't, hasn't, wasn't, how'd, what'd, who's, whos, how's, hows, when's,
    where's, had, get, got, just, so, too, also, not, no, if, then, than, as, into, onto, about, up, out, off, over,
    w, i'm, im, i've, i'd, i'll, let's, lets, u, ur, pls, hey, hi, ok, okay, show, tell, give, go, going, want, need,
    like, been, being, one, ones, thing, things, stuff, el, la, los, las, un, una, unos, unas, de, del, al, en, y, o,
    e, que, con, por, para, sin, sobre, es, son, esta, estan, este, ese, eso, esto, esa, mi, mis, tu, tus, su, sus,
    te, se, lo, le, les, nos, hay, tengo, tiene, cual, cuales, cuando, donde, como, quien, algo, algun, alguna, mas,
    muy, ya, si, favor, porfa, puedes, podrias, dime, dame, muestrame, ha, han, fue, ser, estar, qué"""
