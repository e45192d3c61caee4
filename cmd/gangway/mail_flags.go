package main

import (
	"gangway/internal/transport"
	"gangway/internal/transport/mail"
)

// mailFlags name the operator's mail server.
type mailFlags struct {
	SMTP             string `name:"smtp" placeholder:"URL" help:"Mail server to send by, as smtps://me@mail.example.com."`
	SMTPPasswordFile string `name:"smtp-password-file" placeholder:"FILE" help:"File with the password of that user."`
	MailFrom         string `placeholder:"ADDRESS" help:"The address that Gangway's mails come from."`
}

// mailer returns what sends mails; nil: nothing does.
func (f mailFlags) mailer(t *terminal) (transport.Mailer, error) {
	if f.SMTP == "" {
		if f.SMTPPasswordFile != "" || f.MailFrom != "" {
			return nil, wrongUsage("--smtp is missing: it names the mail server")
		}
		return nil, nil
	}
	c := mail.MailerConfig{URL: f.SMTP, From: f.MailFrom}
	if f.SMTPPasswordFile != "" {
		var err error
		if c.Password, err = readSecret("--smtp-password-file", f.SMTPPasswordFile, t.in); err != nil {
			return nil, err
		}
	}
	mailer, err := mail.NewMailer(c)
	if err != nil {
		return nil, usageError{err}
	}
	return mailer, nil
}
