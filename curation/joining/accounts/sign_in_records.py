"""What libraries record with a sign-in: stored where there is room, otherwise left out."""

from typing import Any

from allauth.usersessions.apps import UserSessionsConfig

from curation.base.web.room import best_effort
from curation.joining.accounts.session_store import is_signed


class UserSessions(UserSessionsConfig):
    """The app of recorded sessions, whose records never stop a sign-in."""

    def ready(self) -> None:
        super().ready()
        from allauth.account import signals as of_accounts
        from allauth.usersessions import signals as of_sessions
        from django.contrib.auth.models import update_last_login
        from django.contrib.auth.signals import user_logged_in

        def record_session(sender: Any, **kwargs: Any) -> None:
            if is_signed(kwargs["request"].session.session_key):
                return
            with best_effort("the session of a sign-in"):
                of_sessions.on_user_logged_in(sender, **kwargs)

        def record_time(sender: Any, user: Any, **kwargs: Any) -> None:
            with best_effort("the time of a sign-in"):
                update_last_login(sender, user, **kwargs)

        of_accounts.user_logged_in.disconnect(of_sessions.on_user_logged_in)
        of_accounts.user_logged_in.connect(record_session, weak=False)
        user_logged_in.disconnect(dispatch_uid="update_last_login")
        user_logged_in.connect(record_time, weak=False, dispatch_uid="update_last_login")
