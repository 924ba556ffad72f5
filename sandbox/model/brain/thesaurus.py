"""A thesaurus of student life: for each subject a tool may be about, the words that speak of it, English and Spanish.

An entry is a word or a phrase, with `=0.5` when it only hints; `*` in a phrase stands for up to three words.
"""

OBJECTS = {
    "assignment": """
        assignment, homework, hw, problem set, problemset, pset, coursework, deadline, deadlines, due, overdue, submit,
        submitted, submission, unsubmitted, turn in, turn * in, turned in, turned * in, turning in, hand in, hand * in,
        handed in, late work, lab report, worksheet, rubric=0.7, essay=0.5, quiz=0.6, quizzes=0.6, exam=0.6, midterm=0.6,
        final=0.3, project=0.45, paper=0.4, lab=0.4, reading=0.45, readings=0.45, missing=0.5, plate=0.75, late=0.4,
        behind=0.6, falling behind=0.8, left to do=0.7, still have to do=0.9, need to do=0.5, have to do=0.6,
        need to finish=0.8, have to finish=0.8, finish=0.35, to-do=0.45, todo=0.45, workload=0.9, work=0.3, outstanding=0.8,
        coming up=0.45, prioritize=0.5, instructions=0.4, extension=0.3, forget=0.25, points=0.35, in store=0.4,
        catch up=0.6, owe=0.7, dues=0.9, work on=0.4, get done=0.6, done=0.2, upcoming=0.35,
        entregar, entrega, entregas, entregable, deberes, fecha limite, fecha de entrega, vence, vencen, vencer, plazo,
        plazos, tarea=0.8, tareas=0.8, trabajo=0.5, trabajos=0.6, ejercicios=0.5, pendiente=0.6, pendientes=0.6,
        atrasado=0.7, atrasada=0.7, atrasados=0.7, examen=0.6, examenes=0.6, parcial=0.6, ensayo=0.5, proyecto=0.45,
        me falta=0.6, me falta por=0.8, tengo que hacer=0.6, por hacer=0.5, lectura=0.4, informe=0.4, practica=0.4""",
    "grade": """
        grade, grades, graded=0.5, score, scores, scored, mark, marks, did i pass, did * pass=0.8, gpa, percentage, average, passing, failing, pass=0.6,
        fail=0.6, flunk, flunking, standing, how am i doing, how i'm doing, how im doing, doing in, doing so far=0.9, doing worst=0.9, doing best=0.9, doing * in=0.8,
        how did i do, do on=0.5, did * do on=0.8, did * do in=0.8, did * get on=0.8, get on=0.4, cooked=0.8, results=0.7,
        result=0.6, feedback=0.7, grader=0.6, need on the final=0.9, need on=0.6, keep my=0.6, points so far=0.7, percent=0.8, weighted=0.7, report card, ls=0.5, fucked=0.5, screwed=0.7,
        how is * going=0.7, how are * going=0.6, hows * going=0.7, letter grade, keep my a=0.6, performance=0.7,
        performing=0.8, doing badly=0.9, doing well=0.8, hows my=0.5, how's my=0.5,
        calificacion, calificaciones, nota=0.75, notas=0.55, que nota, que notas, mis notas en, nota en, notas en, nota de,
        notas de=0.6, promedio, aprobar, aprobado, aprobando, suspender, suspenso, suspendiendo, reprobar, reprobando,
        como voy, voy en=0.8, voy aprobando, puntuacion, puntaje, como me va, me va en=0.8, media=0.3, saque=0.7, sacado=0.7""",
    "course": """
        course, courses, class=0.6, classes=0.75, subject=0.6, subjects=0.7, module=0.5, enrolled, enrollment, taking=0.7,
        syllabus=0.6, taught=0.5, teaches=0.8, teaching=0.5, who teaches, semester=0.4, term=0.3, credits=0.6, signed up=0.5,
        registered=0.6, curso, cursos, asignatura, asignaturas, materia, materias, clase=0.55, clases=0.7, matriculado,
        matriculada, inscrito, inscrita, cursando, ensena=0.6""",
    "announcement": """
        announcement, announcements, announce, announced, announcing, news, newsfeed=0.6, bulletin, posted=0.7, post=0.6,
        posts=0.6, notices=0.8, notice=0.6, updates=0.7, update from, any update, anything new, whats new, what's new,
        new from, heard from=0.7, hear from=0.7, said=0.5, say=0.3, saying=0.4, told us=0.8, sent out=0.7, prof=0.4, profs=0.5,
        professor=0.4, professors=0.5, instructor=0.4, instructors=0.5, teacher=0.4, teachers=0.5, lecturer=0.4, ta=0.2,
        messages from=0.7, message from=0.6, word from=0.7, missed in class=0.6, anything from=0.5,
        anuncio, anuncios, aviso, avisos, anunciado, anuncio, avisado, novedad, novedades, noticia, noticias, comunicado,
        comunicados, publicado, publico=0.6, profesor=0.4, profesora=0.4, profesores=0.5, profe=0.4, profes=0.5, dijo=0.6,
        han dicho=0.7, ha dicho=0.7, nuevo=0.3""",
    "event": """
        event, events, calendar, meeting, meetings, appointment, appointments, agenda, schedule, session, sessions,
        block=0.7, meet=0.8, meeting with, busy=0.7, dentist=0.6, doctor=0.6, lunch=0.6, dinner=0.6, breakfast=0.6, coffee=0.6,
        gym=0.6, office hours=0.9, happening=0.6, going on=0.7, plans=0.6, planned=0.5, study session, study block,
        study time=0.8, shift=0.5, practice=0.5, rehearsal=0.6, party=0.6, birthday=0.5, lecture=0.45, seminar=0.45,
        next class, first class, class tomorrow, class today, classes today, classes tomorrow, classes on, lined up=0.6,
        timetable, itinerary, exam=0.35, midterm=0.35, my day=0.7, my week=0.6, my morning=0.7, my afternoon=0.7,
        my evening=0.7, day look=0.8, week look=0.6, o'clock=0.6, interview=0.6, hangout=0.5, zoom=0.5, conflicts=0.6,
        conflict=0.6, supposed to be=0.8, where am i=0.6, do i have=0.15, have on=0.6, club=0.4, appt, mtg, hang out=0.5,
        evento, eventos, calendario, reunion, reuniones, cita, citas, horario, sesion, sesiones, bloque=0.7, quedar=0.6,
        compromiso, compromisos, planes=0.6, dentista=0.6, medico=0.6, almuerzo=0.6, cena=0.6, comida=0.4, tutoria=0.8,
        ocupado=0.7, ocupada=0.7, entrevista=0.6, cumpleanos=0.5, gimnasio=0.6, mi dia=0.7, mi semana=0.6, ensayo general=0.8""",
    "free": """
        free, available, availability, free time, spare time, spare, gap, gaps, opening, openings, open slot, open slots,
        when would * work, would * work=0.7, what works=0.7, time slot, time slots, slot=0.7, free slot, open time, have time, got time, have any time, any time for, time for=0.6,
        find time, find * time, find some time, when can i=0.8, can * meet=0.9, could * meet=0.8, when could i=0.8, when should i=0.5, fit in=0.8, fit * in=0.8,
        squeeze=0.9, squeeze in, room for=0.6, room in my=0.8, window=0.6, windows=0.6, can i make=0.6, open on=0.6,
        am i open, clear=0.5, is * clear=0.8, best time=0.8, good time=0.8, i open=0.8, break between=0.7, breaks=0.6,
        libre, libres, disponible, disponibilidad, hueco, huecos, tiempo libre, tengo tiempo, tiempo para=0.8, rato=0.6,
        cuando puedo=0.9, cuando podria=0.9, despejado=0.7, despejada=0.7""",
    "note": """
        note, notes, notion, page, pages, document, documents, doc, docs, wiki, notebook, notebooks, wrote, wrote down,
        write up=0.6, writeup=0.7, jot, jotted, jot down, write down, write this, study guide=0.8, outline=0.5, workspace=0.8,
        journal=0.7, summary of=0.4, cheat sheet=0.6, draft=0.3, written=0.5, what i had on=0.9, had on=0.6, stuff about=0.6,
        stuff on=0.6, what do i have on=0.9, what i have on=0.8, something about=0.4, anything about=0.4, subpage, meeting notes=0.8,
        lecture notes=0.9, my writing=0.4, did i write, i write=0.7,
        apunte, apuntes, pagina, paginas, documento, documentos, cuaderno, cuadernos, nota=0.5, notas=0.5, notas sobre,
        notas acerca, mis notas sobre, notas de clase, escribi, escrito=0.6, resumen=0.4, guia de estudio=0.8""",
    "task": """
        task, tasks, todo, todos, to-dos, to do list, to do lists, my to do=0.7, not forget to, mustn't forget, must remember, todo list, remind, remind me, reminder, reminders, checklist,
        don't let me forget, dont let me forget, make sure i=0.8, need to remember, remember to, remember that i=0.7,
        on my list=0.8, to my list=0.9, my list=0.6, planner, chores, errands, things to do=0.8,
        recordatorio, recordatorios, recuerdame, recordarme, recordar=0.7, recuerda=0.6, lista de tareas, mi lista=0.6,
        pendientes=0.5, tarea=0.5, tareas=0.4, que no se me olvide, no olvidar=0.7, quehaceres""",
    "web": """
        web, internet, online=0.9, website, websites, url, urls, link=0.8, links=0.8, rss, feeds=0.9, blog, blogs, newsletter, newsletters, headlines,
        repo, repository, github, commit, commits, pull request, issue=0.4, bitcoin, price=0.6, prices=0.6, tickets=0.6, wikipedia, article=0.6,
        articles=0.6, sources=0.5, http, https, search the web, look up online, google who, google what, google how, google when,
        en linea, en internet, enlace, enlaces, pagina web, articulo=0.6, precio=0.6""",
}
# How to say, in a sentence of one's own, what a subject is.
NAMES = {
    "assignment": ("your assignments", "tus entregas"),
    "grade": ("your grades", "tus calificaciones"),
    "course": ("your courses", "tus cursos"),
    "announcement": ("announcements", "los anuncios"),
    "event": ("your calendar", "tu calendario"),
    "free": ("your calendar", "tu calendario"),
    "note": ("your notes", "tus apuntes"),
    "task": ("your tasks", "tus tareas"),
    "web": ("the web", "la web"),
}
# Services that students name, and what is usually kept there.
SERVICES = {
    "canvas": ("Canvas", ("assignment", "grade", "course", "announcement")),
    "google": ("Google Calendar", ("event", "free")),
    "notion": ("Notion", ("note",)),
}
# Extra looks at a thing rather than things of their own.
ASPECTS = {
    "detail": """
        feedback=0.4,         details, detail, instructions, directions, requirements, requirement, rubric, more about, tell me about, tell me more,
        what is * about, what's * about, how many points, worth=0.8, how long should, wants me to do, want me to do, what * wants, explain what=0.6, describe=0.5, description, how long * have to be, how long * need to be, how many pages, how many words, what format, prompt for,
        late policy, word count, asking for=0.6, supposed to do=0.7, what do i have to do for, need to do for,
        detalles, detalle, instrucciones, requisitos, rubrica, mas sobre, de que trata, de que va, cuantos puntos, vale=0.5""",
    "overdue": """
        overdue, late, missing, missed, past due, behind, forget, forgot, forgotten, atrasado, atrasados, atrasada, atrasadas,
        vencido, vencidos, vencida, se me paso, olvide, retrasado, retrasadas""",
    "unsubmitted": """
        unsubmitted, not submitted, haven't submitted, havent submitted, haven't turned in, havent turned in, haven't * submitted, havent * submitted, haven't * turned in,
        haven't * handed in, haven't * done, didn't * submit, not handed in, not * submitted, still have to,
        still need to, left to do, not turned in, sin entregar, no he entregado, me falta, outstanding, haven't done""",
    "past": "past, last, previous, pasado, pasada, pasados, pasadas, anterior, anteriores, already=0.3",
    "submitted": "submitted, turned in, handed in, did i submit, did i turn, entregado, entregada, entregue, he entregado",
    "graded": "graded, scored, got back, calificado, calificada, corregido",
    "upcoming": "upcoming, coming up, soon, next, due, ahead, proximo, proximos, proximas, pronto",
    "all": "all, every, everything, todo, todos, todas, entire, whole",
    "done": "done, finished, completed, complete, hecho, hechas, terminado, completado, completadas",
    "open": "open, pending, unfinished, left, abiertas, pendientes, remaining",
}
