"""Django's own apps with the keys that MongoDB gives."""

from __future__ import annotations

from django.contrib.auth.apps import AuthConfig
from django.contrib.contenttypes.apps import ContentTypesConfig


class MongoAuthConfig(AuthConfig):
    """People and their permissions."""

    default_auto_field = "django_mongodb_backend.fields.ObjectIdAutoField"


class MongoContentTypesConfig(ContentTypesConfig):
    """What permissions are about."""

    default_auto_field = "django_mongodb_backend.fields.ObjectIdAutoField"
