"""Where one logs in and out."""

from django.urls import path

from apps.accounts import views

urlpatterns = [
    path("enter", views.enter, name="enter"),
    path("login", views.LogIn.as_view(), name="login"),
    path("logout", views.LogOut.as_view(), name="logout"),
]
