"""The class of a demo in a room: its made-up students, who of the visitors is which of them, and who presents."""
