"""The app's registration."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People."""

    name = "apps.accounts"
