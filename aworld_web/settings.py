"""Django's settings. Everything that differs between installations comes from the environment.

AWORLD_HOME             data folder
AWORLD_MONGODB_URI      definitions and runs on MongoDB; "" means SQLite in the data folder
AWORLD_REDIS_URL        doorbells and Celery's broker; "" means one process does everything
AWORLD_SINGLE_PROCESS   1: the web process works on the runs too
AWORLD_ALLOWED_HOSTS    names, besides the loopback's, under which the pages may be opened
AWORLD_TRUSTED_ORIGINS  origins (`https://…`) that a proxy shows instead of the host's own
AWORLD_SECRET_KEY       signs sessions; a key in the data folder where unset
AWORLD_ENCRYPTION_KEY   encrypts provider keys; a key in the data folder where unset
AWORLD_CONCURRENCY      runs that one worker drives at once; 16 where unset
AWORLD_FRONTEND         folder of the built pages, where it is not the site's own
AWORLD_DEBUG            1: Django's own error pages
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from apps.shell.kept_secret import kept_secret
from aworld import config
from aworld_web.databases import database, migration_modules
from aworld_web.log_lines import LOGGING  # noqa: F401
from aworld_web.processes.site import site_folder

CONFIG = config.load()
SINGLE_PROCESS = not CONFIG.redis_url or os.environ.get("AWORLD_SINGLE_PROCESS") == "1"
HOME = CONFIG.home
HOME.mkdir(parents=True, exist_ok=True)

SITE = site_folder()
FRONTEND = Path(os.environ.get("AWORLD_FRONTEND") or SITE / "frontend" / "dist")
"""Where Vite puts the built pages; need not be there."""


def _listed(name: str) -> list[str]:
    """A comma-separated variable."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


DEBUG = os.environ.get("AWORLD_DEBUG") == "1"
SECRET_KEY = os.environ.get("AWORLD_SECRET_KEY") or kept_secret(
    HOME / "secret_key", lambda: secrets.token_urlsafe(50)
)
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *_listed("AWORLD_ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = _listed("AWORLD_TRUSTED_ORIGINS")

ON_MONGODB = bool(CONFIG.mongodb_uri)
_DJANGO_APPS = (
    ["aworld_web.mongo_apps.MongoAuthConfig", "aworld_web.mongo_apps.MongoContentTypesConfig"]
    if ON_MONGODB
    else ["django.contrib.auth", "django.contrib.contenttypes"]
)
INSTALLED_APPS = [
    *_DJANGO_APPS,
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "channels",
    "ninja",
    *(["django_mongodb_backend"] if ON_MONGODB else []),
    "apps.shell",
    "apps.accounts",
    "apps.agents",
    "apps.tasks",
    "apps.runs",
]
MIGRATION_MODULES = migration_modules(CONFIG)
DATABASES: dict[str, dict[str, Any]] = {"default": database(CONFIG)}
DATABASE_ROUTERS = ["django_mongodb_backend.routers.MongoRouter"] if ON_MONGODB else []
DEFAULT_AUTO_FIELD = (
    "django_mongodb_backend.fields.ObjectIdAutoField"
    if ON_MONGODB
    else "django.db.models.BigAutoField"
)

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "apps.shell.static_files.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Innermost and synchronous: so Django runs the whole chain in one thread, with one hop.
    "apps.shell.security.ContentSecurity",
]
ROOT_URLCONF = "aworld_web.urls"
ASGI_APPLICATION = "aworld_web.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SITE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
            ]
        },
    }
]

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
# Two servers on one machine share the host's cookies whatever their ports.
SESSION_COOKIE_NAME = "aworld_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "apps.shell.views.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
if any(origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS):
    # A proxy speaks TLS for us and says so.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000  # a folder of tasks

STATIC_URL = "/static/"
STATICFILES_DIRS = [FRONTEND]
SILENCED_SYSTEM_CHECKS = ["staticfiles.W004"]  # the pages may not be built yet
WHITENOISE_USE_FINDERS = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
# Without the built pages at the start, look again at each request: they may be under way.
# In a checkout the pages may be built anew while this process runs; its files are looked for then.
WHITENOISE_AUTOREFRESH = (
    DEBUG or not FRONTEND.is_dir() or (FRONTEND.parent / "package.json").is_file()
)
# Vite puts a hash of the content into a name.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^.+[.-][0-9a-zA-Z_-]{8,12}\.[a-z0-9]+$"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Chinese"))]
LOCALE_PATHS = [SITE / "apps" / "shell" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
