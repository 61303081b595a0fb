"""Read by gunicorn when it starts here: answers do not name the server's software."""

import gunicorn

gunicorn.SERVER = "web"
