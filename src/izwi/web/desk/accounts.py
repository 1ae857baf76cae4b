"""One's own account: its password, and tokens for programs."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from izwi.cases.accounts import Accounts
from izwi.model.accounts import AccountError, Visitor
from izwi.web.desk.frame import Desk, ThisDesk
from izwi.web.errors import PROBLEMS
from izwi.web.session.identity import sender_address
from izwi.web.session.rights import MemberPage, ThisForm, ThisVisitor
from izwi.web.site import Site, ThisSite

router = APIRouter(
    prefix="/account", responses=PROBLEMS, route_class=MemberPage, include_in_schema=False
)


@router.get("", response_class=HTMLResponse)
def account(desk: ThisDesk, visitor: ThisVisitor) -> HTMLResponse:
    """Show who one is, who else has an account, and one's tokens."""
    return _page(desk, visitor, "")


@router.post("/token", response_class=HTMLResponse)
def make_token(desk: ThisDesk, form: ThisForm, visitor: ThisVisitor) -> HTMLResponse:
    """Make a token and show it, once."""
    accounts = _accounts(desk.site, visitor)
    secret = accounts.make_token(visitor.name, form.get("label", "").strip() or "token")
    return _page(desk, visitor, secret)


@router.post("/revoke")
def revoke(site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """End a token."""
    _accounts(site, visitor).revoke_token(visitor.name, form.get("id", ""))
    return RedirectResponse("/account?said=revoked", 303)


@router.post("/password")
def password(
    request: Request, desk: ThisDesk, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Change one's password; every session ends."""
    try:
        accounts = _accounts(site, visitor)
        address = sender_address(request)
        if not accounts.is_password(visitor.name, form.get("old", ""), address=address):
            raise AccountError("The old password is wrong.")
        if form.get("again", form.get("new", "")) != form.get("new", ""):
            raise AccountError("The two new passwords differ.")
        accounts.change_password(visitor.name, form.get("new", ""))
    except AccountError as error:
        return _page(desk, visitor, "", error=error)
    return RedirectResponse("/login", 303)


def _page(
    desk: Desk, visitor: Visitor, secret: str, *, error: AccountError | None = None
) -> HTMLResponse:
    accounts = desk.site.accounts
    content = {
        # Who else has an account is for curators to know.
        "users": accounts.users() if accounts and visitor.is_curator else (),
        "tokens": accounts.tokens(visitor.name) if accounts else (),
        "secret": secret,
    }
    return desk.page("account", None, "account", content, error=error)


def _accounts(site: Site, visitor: Visitor) -> Accounts:
    if site.accounts is None or visitor.name not in {user.name for user in site.accounts.users()}:
        raise AccountError("Only people signed in with an account of their own can do this.")
    return site.accounts
