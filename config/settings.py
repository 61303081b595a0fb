"""The settings. Every value an installation may change is read here from the environment.

A wrong value stops the start with a sentence that names the variable; defaults that are safe only
on one's own machine (the secret, DEBUG) are refused in production.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from celery.schedules import schedule as every
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config import environment

# One thread per process: the statistics multiply long, thin matrices, for which more threads cost a
# third more processor time and save nothing. Set here because numpy reads it on import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(environment.text("VAR_DIR", str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = environment.flag("DEBUG", False)
DEMO = environment.flag("DEMO", DEBUG)
DEMO_PASSWORD = environment.text("DEMO_PASSWORD", "")

OWN_SECRET = VAR_DIR / "secret_key"  # created by `make run`
SECRET_KEY = environment.secret_key("SECRET_KEY", debug=DEBUG, own=OWN_SECRET)
SECRET_KEY_FALLBACKS = environment.csv_list("SECRET_KEY_FALLBACKS", [])  # old keys during a change
ON_OWN_MACHINE = DEBUG or (OWN_SECRET.exists() and not environment.text("SECRET_KEY", ""))
ALLOWED_HOSTS = environment.csv_list(
    "ALLOWED_HOSTS", environment.LOCAL_HOSTS if ON_OWN_MACHINE else []
)
if DEBUG:
    environment.refuse_debug_in_public(ALLOWED_HOSTS)
if not (
    DEBUG or ALLOWED_HOSTS or environment.is_collecting_static() or environment.is_printing_help()
):
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS is empty. Set it to the host names people use, separated by commas."
    )
CSRF_TRUSTED_ORIGINS = environment.csv_list("CSRF_TRUSTED_ORIGINS", [])

INSTALLED_APPS = [
    "config",
    "judge",
    "review",
    "rubrics",
    "curation",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "curation.joining.accounts.sign_in_records.UserSessions",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.PermissionsPolicy",
    "config.middleware.HealthProbes",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # a workbench with 40 lines is 90 KB of HTML
    "csp.middleware.CSPMiddleware",
    "config.middleware.QuietRefusals",  # before everything that may refuse
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.NoStore",
    "curation.joining.accounts.middleware.UserLanguage",
    "curation.joining.accounts.middleware.UserTimeZone",
    "curation.joining.accounts.middleware.LastSeen",
    "config.duty_buttons.DutyButtons",  # inside the language of the person
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.middleware.BodyLimit",
    "config.middleware.Errors",
    "config.middleware.DenyByDefault",
    "config.middleware.SecondFactor",
    "curation.joining.accounts.middleware.RequireCurrentTerms",
    "config.middleware.Throttle",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "config.template_loader.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.navigation.navigation",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "curation.base.web.look",
                "curation.base.web.components",
                "curation.base.access.trail_tags",
            ],
            "libraries": {
                "accounts": "curation.joining.accounts.tags",
                "files": "curation.tasks.task.tags",
                "look": "curation.base.web.look",
                "money": "judge.asking.calls.price_tags",
                "overrules": "judge.results.flags.overrule_tags",
                "practice": "judge.scoring.practice.tags",
                "rubric": "rubrics.workbench.tags",
                "worker": "judge.base.queue.tags",
            },
        },
    }
]

# --- data -----------------------------------------------------------------------------------
DATABASES = {"default": environment.database("DATABASE_URL", VAR_DIR / "assay.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "curation.User"
MEDIA_ROOT = VAR_DIR / "files"

# --- people ---------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "curation.joining.accounts.adapter.Adapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_NOTIFICATIONS = True  # mail the owner when a password or second factor changes
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Assay: "
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_USER_DISPLAY = "curation.joining.accounts.adapter.display"
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {
    "login": "curation.joining.accounts.forms.LoginForm",
    "signup": "curation.joining.accounts.forms.SignupForm",
    "add_email": "curation.joining.accounts.forms.AddEmailForm",
    "change_password": "curation.joining.accounts.forms.ChangePasswordForm",
    "set_password": "curation.joining.accounts.forms.SetPasswordForm",
    "reset_password": "curation.joining.accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "curation.joining.accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "curation.joining.accounts.forms.ReauthenticateForm",
}
OPEN_SIGNUP = environment.flag("OPEN_SIGNUP", False)
INVITATION_DAYS = environment.integer("INVITATION_DAYS", 14, low=1, high=365)
REFERRALS_PER_EXPERT = environment.integer("REFERRALS_PER_EXPERT", 10, low=0, high=1000)

# Our limits, applied by config.middleware.Throttle; signing in, signing up and resets have the
# library's own. A rate is amount/duration/per.
ACCOUNT_RATE_LIMITS = {
    "exam": "10/m/user,120/m/ip",
    "invite": "60/h/user",
    "mail_test": "5/h/user",
    # Confirmation links to one address. The library checks this limit whenever it sends one.
    "confirm_email": "3/5m/key,8/h/key",
}

REQUIRE_SECOND_FACTOR = environment.flag("REQUIRE_SECOND_FACTOR", not (DEBUG or DEMO))
MFA_ADAPTER = "curation.base.access.second_factor.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Assay"
MFA_TOTP_TOLERANCE = 1  # accept codes from a clock that is half a minute off
# Safe because nobody can sign in with an unconfirmed address and lock out its real owner.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "curation.joining.accounts.forms.AuthenticateForm",
    "reauthenticate": "curation.joining.accounts.forms.SecondFactorAgainForm",
    "activate_totp": "curation.joining.accounts.forms.ActivateTOTPForm",
    "add_webauthn": "curation.joining.accounts.forms.AddPasskeyForm",
    "edit_webauthn": "curation.joining.accounts.forms.RenamePasskeyForm",
}

SESSION_ENGINE = "curation.joining.accounts.session_store"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
HTTPS = environment.flag("HTTPS", not ON_OWN_MACHINE)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # for http://localhost
# How many proxies may set X-Forwarded-For: by default the one that terminates TLS, if any.
ALLAUTH_TRUSTED_PROXY_COUNT = environment.integer("TRUSTED_PROXIES", int(HTTPS), low=0, high=10)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# --- language and time ----------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"

# --- static files ---------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "config.static_files.HashedFiles"
        )
    },
}
WHITENOISE_USE_FINDERS = DEBUG

# --- background work ------------------------------------------------------------------------
CELERY_BROKER_URL = environment.broker("CELERY_BROKER_URL")
CELERY_BROKER_TRANSPORT_OPTIONS = environment.broker_options(CELERY_BROKER_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "judge.jobs.sweep", "schedule": every(30)},
}
# The throttles' counts are shared by all processes. They are in the database and not in Redis, so
# that people can sign in while the broker is down.
CACHES = {
    "default": {
        "BACKEND": "curation.joining.accounts.counts.Counts",
        "LOCATION": "curation_cacherow",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
# Files are refused that would leave less than this: signing in and short texts still fit.
DISK_RESERVE_MB = environment.integer("DISK_RESERVE_MB", 100, low=0, high=1_000_000)
WORKER_SILENT_AFTER = 30  # seconds without a heartbeat until the worker is reported missing
# Seconds a piece of background work may compute without a sign of life, or keep its process from
# running anything else, until that process is ended.
WORKER_FROZEN_AFTER = environment.integer("WORKER_FROZEN_AFTER", 180, low=1, high=86_400)

# --- programme policy -----------------------------------------------------------------------
PROMPTS_PER_EXPERT = environment.integer("PROMPTS_PER_EXPERT", 3, low=1, high=100)
DRAFTS_PER_AUTHOR = environment.integer("DRAFTS_PER_AUTHOR", 100, low=1, high=10_000)
TRIAL_VERSIONS = environment.integer("TRIAL_VERSIONS", 3, low=1, high=20)
SPOT_CHECK_RATE = environment.fraction("SPOT_CHECK_RATE", 0.30)
SPOT_CHECK_SALT = environment.text("SPOT_CHECK_SALT", "") or SECRET_KEY
RUBRIC_MIN_CRITERIA = environment.integer("RUBRIC_MIN_CRITERIA", 15, low=1, high=500)
RUBRIC_MAX_CRITERIA = environment.integer(
    "RUBRIC_MAX_CRITERIA", 40, low=RUBRIC_MIN_CRITERIA, high=500
)
DRAFTS_PER_TASK = environment.integer("DRAFTS_PER_TASK", 4, low=1, high=50)
REVIEWERS_PER_TASK = environment.integer("REVIEWERS_PER_TASK", 1, low=1, high=5)
ATTACHMENT_MAX_MB = environment.integer("ATTACHMENT_MAX_MB", 10, low=1, high=100)  # of one file
ATTACHMENT_TOTAL_MB = environment.integer(  # of all files of one person
    "ATTACHMENT_TOTAL_MB", 200, low=ATTACHMENT_MAX_MB, high=100_000
)
IMPORT_MAX_MB = environment.integer("IMPORT_MAX_MB", 200, low=1, high=2000)  # of one upload
# An upload of at most this size is checked while its page loads, a larger one by the worker.
IMPORT_CHECKED_AT_ONCE_KB = environment.integer(
    "IMPORT_CHECKED_AT_ONCE_KB", 1000, low=0, high=100_000
)
PANEL_QUORUM = environment.integer("PANEL_QUORUM", 1, low=1, high=15)

# --- models ---------------------------------------------------------------------------------
DRAFT_MODEL = environment.model("DRAFT_MODEL")
BASELINE_MODEL = environment.model("BASELINE_MODEL")
PROBE_MODELS = environment.models("PROBE_MODELS")
PROBE_GRADER = environment.model("PROBE_GRADER")
LINT_MODEL = environment.model("LINT_MODEL")
LABEL_MODEL = environment.model("LABEL_MODEL")
# Networks beside the public one whose servers staff may enter as endpoints.
PRIVATE_MODEL_NETWORKS = environment.networks("PRIVATE_MODEL_NETWORKS")
MODEL_TIMEOUT = environment.integer("MODEL_TIMEOUT", 180, low=1, high=3600)

# --- e-mail ---------------------------------------------------------------------------------
EMAIL_URL, _mail = environment.email("EMAIL_URL")
globals().update(_mail)
MAIL_SERVER = urlsplit(EMAIL_URL).hostname or ""  # "" where e-mails are printed
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "Assay <assay@localhost>")
EMAIL_TIMEOUT = 20  # seconds, so that an unresponsive mail server does not block the sweep
DIGEST_HOUR = environment.integer("DIGEST_HOUR", 6, low=0, high=23)
PUBLIC_URL_GIVEN = environment.origin("PUBLIC_URL", "")  # where people open the product
PUBLIC_URL = PUBLIC_URL_GIVEN or environment.guess_origin(
    ALLOWED_HOSTS, https=HTTPS, own_machine=ON_OWN_MACHINE
)

# --- API ------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.api.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["config.api.RoutePermission"],
    "DEFAULT_RENDERER_CLASSES": ["config.api.FastJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["curation.base.web.json_input.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.errors.api_exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Assay",
    "DESCRIPTION": _("Expert-written, rubric-graded benchmarks: tasks, rubrics, runs, releases."),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["config.api.RoutePermission"],
    # Two enums are named "origin": without a name for one, each schema generation logs a warning.
    "ENUM_NAME_OVERRIDES": {"TaskOriginEnum": "curation.models.Origin"},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": environment.text("LOG_LEVEL", "WARNING")},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
