package people

import (
	"net/http"

	"gangway/internal/gangway"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/app/shell"
)

// An acceptPage is where somebody who was invited chooses a password. What was typed is never shown again.
type acceptPage struct {
	gangway.Invitation
	Token           string
	WrongNew, Again string
	SignedIn        string // somebody, who must sign out first
}

// invitation is the one that an address names. Opening the address does not use it up: mail programs do that, too.
func (room *Room) invitation(r *http.Request) (p acceptPage, err error) {
	p.Token = r.PathValue("token")
	p.Invitation, err = room.db.Invitation(r.Context(), access.HashKey(p.Token), room.Now())
	if v, ok := shell.VisitorOf(r.Context()); ok {
		p.SignedIn = v.User.Email
	}
	return p, err
}

// Invitation shows the form that accepts an invitation.
func (room *Room) Invitation(w http.ResponseWriter, r *http.Request) error {
	p, err := room.invitation(r)
	if err != nil {
		return err
	}
	return room.showInvitation(w, r, p, http.StatusOK)
}

func (room *Room) showInvitation(w http.ResponseWriter, r *http.Request, p acceptPage, status int) error {
	answer := p.Company + " invited you as " + string(p.Role) + "."
	switch {
	case p.SignedIn != "":
		answer = ""
	case p.ID != "":
		answer = "It replaces the old one. You are signed out everywhere else."
	}
	return room.Show(w, r, shell.Page{Template: "accept", Title: "Choose a password", Status: status, Answer: answer,
		Data: p})
}

// Accept gives the person who was invited the password that they chose, and signs them in.
func (room *Room) Accept(w http.ResponseWriter, r *http.Request) error {
	p, err := room.invitation(r)
	if err != nil {
		return err
	}
	chosen := r.PostFormValue("new")
	if err := access.CheckNewPassword(chosen, p.Email, p.Name, p.Company); err != nil {
		p.WrongNew = shell.SentenceOf(err)
	} else if r.PostFormValue("again") != chosen {
		p.Again = "This is not the same as the password."
	}
	if p.WrongNew != "" || p.Again != "" || p.SignedIn != "" {
		return room.showInvitation(w, r, p, http.StatusUnprocessableEntity)
	}
	u, err := room.db.AcceptInvitation(r.Context(), access.HashKey(p.Token), access.HashPassword(chosen), web.From(r),
		room.Now())
	if err != nil {
		return err
	}
	return room.Welcome(w, r, u)
}
