package app

import (
	"net/http"

	"gangway/internal/gangway"
	"gangway/internal/web"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/inbox"
	"gangway/internal/web/app/outlets"
	"gangway/internal/web/app/shell"
)

// routes ties every address to the method that answers it and to the people who may use
// it: bare and open let everybody through, signedIn all people of the account, and only
// those with a permission. A page that asks customers' systems does so before its turn.
// An address that only takes forms has a line in reload.go too.
// Large pages wait for their turn, and files and streams have limits of their own. To
// add a page, see doc.go and add a line here.
//
// The walk in cmd/gangway tries every line as everybody who may not use it, and says what
// a new line needs.
func (a *App) routes(mux *web.Table) {
	sh := a.shell
	asking := func(q func(*http.Request) flights.Question, h web.Handler) web.Guarded {
		return sh.SignedIn(a.flights.AskFirst(q, sh.InTurn(h)))
	}

	// Without a session: no cookie is read here.
	mux.Handle("GET /assets/{file}", web.Guarded{For: web.Anybody, Handler: http.HandlerFunc(sh.Asset)})
	mux.Handle("POST "+inbox.HandoffPath, sh.Bare(a.inbox.ReceiveHandoff))
	mux.Handle("POST "+shell.CSPPath, sh.Bare(sh.ReportCSP(mux.PathOf)))

	// Before signing in.
	mux.Handle("GET /sign-in", sh.Open(sh.SignIn))
	mux.Handle("POST /sign-in", sh.Open(sh.CheckSignIn))
	mux.Handle("POST /sign-out", sh.Open(sh.SignOut))
	mux.Handle("POST /appearance", sh.Open(sh.Appearance))

	mux.Handle("GET /invitations/{token}", sh.Open(a.people.Invitation))
	mux.Handle("POST /invitations/{token}", sh.Open(a.people.Accept))

	// For those who write a customer's programs, by an API key in place of a session.
	mux.Handle("GET /integrator", sh.Bare(a.integrator.KeyForm))
	mux.Handle("POST /integrator", sh.Bare(a.integrator.CheckKey))
	mux.Handle("POST /integrator/leave", sh.Bare(a.integrator.Leave))
	mux.Handle("GET /integrator/requests", a.integrator.WithKey(a.integrator.KeyRequests))
	mux.Handle("GET /integrator/requests/{request}", a.integrator.WithKey(a.integrator.KeyRequest))
	mux.Handle("POST /integrator/requests/{request}", a.integrator.WithKey(a.integrator.KeyRequest))
	mux.Otherwise(sh.Open(a.noSuchPage).Handler)

	// The frame.
	mux.Handle("POST /environment", sh.SignedIn(sh.Environment))
	mux.Handle("GET /live", sh.SignedIn(sh.Streaming(sh.Live)))
	mux.Handle("GET /live/frame", sh.SignedIn(sh.InTurn(sh.LiveFrame)))

	mux.Handle("GET /password", sh.SignedIn(sh.PasswordForm))
	mux.Handle("POST /password", sh.SignedIn(sh.ChangePassword))
	mux.Handle("GET /mails", sh.SignedIn(sh.MailsForm))
	mux.Handle("POST /mails", sh.SignedIn(sh.ChooseMails))

	// What is to be done.
	mux.Handle("GET /{$}", sh.SignedIn(sh.InTurn(a.today.Today)))
	mux.Handle("GET /attention", sh.SignedIn(a.today.First)) // the address of older links
	mux.Handle("POST /note", sh.SignedIn(a.today.WriteNote))
	mux.Handle("POST /seen", sh.SignedIn(a.bookings.See))

	// Searching for flights.
	mux.Handle("GET /book", asking(a.flights.BookQuestion, a.flights.Book))
	mux.Handle("POST /searches", sh.SignedIn(a.flights.StartSearch))
	mux.Handle("GET /searches/{id}/members/{member}", sh.SignedIn(a.crew.Member))
	mux.Handle("POST /searches/{id}/members/{member}", sh.SignedIn(a.crew.CorrectMember))
	mux.Handle("GET /suggest/travellers", sh.SignedIn(a.flights.SuggestTravellers))
	mux.Handle("GET /suggest/airports", sh.SignedIn(a.flights.SuggestAirports))
	mux.Handle("GET /suggest/anything", sh.SignedIn(a.inbox.SuggestAnything))
	mux.Handle("GET /suggest/dates", sh.SignedIn(sh.SuggestDates))

	mux.Handle("GET /integrations/search/{token}", sh.SignedIn(a.inbox.ClaimHandoff))

	// What was found.
	mux.Handle("GET /searches/{id}", sh.SignedIn(flights.OfSearch(a.flights.Search)))
	mux.Handle("GET /searches/{id}/stream", sh.SignedIn(sh.Streaming(flights.OfSearch(a.flights.SearchStream))))
	mux.Handle("GET /searches/{id}/hold", sh.SignedIn(flights.OfSearch(a.flights.HoldPage)))
	mux.Handle("POST /searches/{id}/environment", sh.SignedIn(flights.OfSearch(a.inbox.PlaceHandoff)))
	mux.Handle("POST /searches/{id}/day", sh.SignedIn(flights.OfSearch(a.flights.SearchDay)))
	mux.Handle("POST /searches/{id}/book", sh.SignedIn(flights.OfSearch(a.flights.BookOffer)))
	mux.Handle("POST /searches/{id}/choose", sh.SignedIn(a.crew.ChooseFlight))
	mux.Handle("POST /searches/{id}/move", sh.SignedIn(a.crew.MoveChange))
	mux.Handle("GET /searches/{id}/book-all", sh.SignedIn(sh.Turn(a.crew.ReviewAll)))
	mux.Handle("POST /searches/{id}/book-all", sh.SignedIn(a.crew.BookAll))
	mux.Handle("GET /searches/{id}/batches/{batch}", sh.SignedIn(sh.InTurn(a.crew.ShowBatch)))
	mux.Handle("GET /searches/{id}/batches/{batch}/stream", sh.SignedIn(sh.Streaming(a.crew.BatchStream)))

	// What was booked.
	mux.Handle("GET /bookings", sh.SignedIn(sh.InTurn(a.bookings.Bookings)))
	mux.Handle("GET /bookings.csv", sh.SignedIn(sh.Filing(a.bookings.ExportBookings)))
	mux.Handle("GET /bookings/enter", sh.SignedIn(a.bookings.Enter))
	mux.Handle("POST /bookings/enter", sh.SignedIn(a.bookings.EnterBooking))
	mux.Handle("GET /bookings/together", sh.SignedIn(a.bookings.Together))
	mux.Handle("POST /bookings/together", sh.SignedIn(a.bookings.ActTogether))
	mux.Handle("GET /runs/{batch}", sh.SignedIn(sh.InTurn(a.bookings.Run)))
	mux.Handle("GET /runs/{batch}/stream", sh.SignedIn(sh.Streaming(a.bookings.RunStream)))
	mux.Handle("GET /bookings/{id}", sh.SignedIn(sh.InTurn(a.bookings.Booking)))
	mux.Handle("POST /bookings/{id}/enter-tickets", sh.SignedIn(a.bookings.EnterTickets))
	mux.Handle("POST /bookings/{id}/enter-change", sh.SignedIn(a.bookings.EnterChange))
	mux.Handle("POST /bookings/{id}/refund", sh.SignedIn(a.bookings.EnterRefund))
	mux.Handle("GET /bookings/{id}/issue", sh.SignedIn(a.bookings.IssueQuote))
	mux.Handle("POST /bookings/{id}/issue", sh.SignedIn(a.bookings.Issue))
	mux.Handle("GET /bookings/{id}/cancel", sh.SignedIn(a.bookings.CancelQuote))
	mux.Handle("POST /bookings/{id}/cancel", sh.SignedIn(a.bookings.Cancel))
	mux.Handle("GET /bookings/{id}/hold-again", sh.SignedIn(a.bookings.HoldAgainPage))
	mux.Handle("POST /bookings/{id}/hold-again", sh.SignedIn(a.bookings.HoldAgain))
	mux.Handle("GET /bookings/{id}/change", sh.SignedIn(a.bookings.Change))
	mux.Handle("POST /bookings/{id}/ask-change", sh.SignedIn(a.bookings.AskChange))
	mux.Handle("POST /bookings/{id}/confirm-change", sh.SignedIn(a.bookings.ConfirmChange))
	mux.Handle("POST /bookings/{id}/give-up-change", sh.SignedIn(a.bookings.GiveUpChange))
	mux.Handle("POST /bookings/{id}/no-show", sh.SignedIn(a.bookings.NoShow))
	mux.Handle("POST /bookings/{id}/invoices", sh.SignedIn(a.bookings.AddInvoices))
	mux.Handle("POST /bookings/{id}/invoices/remove", sh.SignedIn(a.bookings.RemoveInvoice))
	mux.Handle("POST /bookings/{id}/unissued", sh.SignedIn(a.bookings.ChooseUnissued))
	mux.Handle("POST /bookings/{id}/approve", sh.Only(gangway.ToApprove, a.bookings.Approve))
	mux.Handle("POST /bookings/{id}/decline", sh.Only(gangway.ToApprove, a.bookings.Decline))
	mux.Handle("GET /approvals", sh.SignedIn(sh.InTurn(a.bookings.Approvals)))
	mux.Handle("POST /approvals", sh.Only(gangway.ToApprove, a.bookings.DecideApprovals))
	mux.Handle("GET /deadlines", sh.SignedIn(sh.InTurn(a.bookings.Deadlines)))
	mux.Handle("GET /bookings/{id}/schedule-change", sh.SignedIn(sh.InTurn(a.bookings.ScheduleChange)))
	mux.Handle("POST /bookings/{id}/reject-change", sh.SignedIn(a.bookings.RejectChange))
	mux.Handle("POST /bookings/{id}/choose-other", sh.SignedIn(a.bookings.ChooseOther))
	mux.Handle("POST /bookings/{id}/handled", sh.SignedIn(a.bookings.Handled))

	// What customers have planned.
	mux.Handle("GET /requests", asking(a.inbox.RequestsQuestion, a.inbox.Requests))
	mux.Handle("POST /requests/search", sh.SignedIn(a.inbox.SearchRequest))
	mux.Handle("GET /requests/take-back", sh.SignedIn(a.inbox.TakeBackRequest))
	mux.Handle("POST /requests/take-back", sh.SignedIn(a.inbox.DeleteRequest))
	mux.Handle("GET /travellers", asking(a.inbox.TravellersQuestion, a.inbox.Travellers))
	mux.Handle("GET /travellers/take-back", sh.SignedIn(a.inbox.TakeBackTraveller))
	mux.Handle("GET /travellers/{key}", sh.SignedIn(sh.InTurn(a.inbox.Person)))
	mux.Handle("GET /vessels/{name}", sh.SignedIn(sh.InTurn(a.crew.Vessel)))
	mux.Handle("GET /ports/{code}", sh.SignedIn(sh.InTurn(a.crew.Port)))
	mux.Handle("POST /travellers/take-back", sh.SignedIn(a.inbox.DeleteTraveller))
	mux.Handle("GET /crew-changes", asking(a.crew.CrewChangesQuestion, a.crew.CrewChanges))
	mux.Handle("GET /crew-changes/plan", sh.SignedIn(sh.InTurn(a.crew.PlannedCrewChange)))
	mux.Handle("GET /crew-changes/board", sh.SignedIn(a.crew.Board))
	mux.Handle("GET /crew-changes/board/stream", sh.SignedIn(sh.Streaming(a.crew.BoardStream)))
	mux.Handle("POST /crew-changes/board", sh.SignedIn(a.crew.DoBoard))
	mux.Handle("GET /crew-changes/rules", sh.SignedIn(a.crew.Rules(false)))
	mux.Handle("POST /crew-changes/rules", sh.SignedIn(a.crew.SaveRules(false)))
	mux.Handle("GET /crew-changes/take-back", sh.SignedIn(a.inbox.TakeBackCrewChange))
	mux.Handle("POST /crew-changes/take-back", sh.SignedIn(a.inbox.DeleteCrewChange))
	mux.Handle("POST /crew-changes/moved", sh.SignedIn(a.crew.AnswerMoved))
	mux.Handle("POST /crew-changes/undo-move", sh.SignedIn(a.crew.UndoMove))
	mux.Handle("POST /crew-changes/search", sh.SignedIn(a.crew.SearchCrewChange))
	mux.Handle("GET /hotels", sh.SignedIn(sh.InTurn(a.inbox.Hotels)))
	mux.Handle("POST /hotels/handled", sh.SignedIn(a.inbox.HandleHotel))

	// What leaves on paper.
	mux.Handle("GET /itinerary", sh.SignedIn(sh.InTurn(a.paper.Itinerary)))
	mux.Handle("POST /itinerary/link", sh.SignedIn(a.paper.MakeLink))
	mux.Handle("POST /itinerary/revoke", sh.SignedIn(a.paper.RevokeLink))
	mux.Handle("GET /i/{secret}", sh.Bare(a.paper.OpenLink))
	mux.Handle("GET /i/{secret}/{file}", sh.Bare(a.paper.OpenLink))
	mux.Handle("GET /agent", sh.SignedIn(sh.InTurn(a.paper.AgentList)))
	mux.Handle("GET /agent.csv", sh.SignedIn(sh.Filing(a.paper.AgentListCSV)))
	mux.Handle("POST /agent/send", sh.SignedIn(a.paper.SendAgentList))
	mux.Handle("POST /agent/keep", sh.Only(gangway.ToAdminister, a.paper.KeepAgent))
	mux.Handle("GET /itinerary/{file}", sh.SignedIn(sh.Turn(a.paper.ItineraryFile)))

	// What the report says of all bookings.
	mux.Handle("GET /report", sh.SignedIn(sh.Streaming(a.report.Report)))
	mux.Handle("POST /report/views", sh.SignedIn(a.report.SaveView))
	mux.Handle("GET /report/views/mail", sh.SignedIn(a.report.MailedView))
	mux.Handle("POST /report/views/mail", sh.SignedIn(a.report.MailView))
	mux.Handle("POST /report/views/delete", sh.SignedIn(a.report.DeleteView))
	mux.Handle("GET /report/bookings", sh.SignedIn(a.report.Behind))
	mux.Handle("GET /report/download", sh.SignedIn(a.report.Download))
	mux.Handle("GET /report/connect", sh.SignedIn(a.report.Connect))
	mux.Handle("GET /report/connect.xlsx", sh.SignedIn(a.report.ConnectedWorkbook))
	mux.Handle("GET /report/connect.pbids", sh.SignedIn(a.report.PowerBIFile))
	mux.Handle("GET /report.xlsx", sh.SignedIn(sh.Filing(a.report.DownloadWorkbook)))
	mux.Handle("GET /report.csv", sh.SignedIn(sh.Filing(a.report.DownloadCSV)))

	// Refused forms that are opened again.
	a.reloads(mux)

	// Settings, for admins.
	admins := func(h web.Handler) web.Guarded { return sh.Only(gangway.ToAdminister, h) }
	mux.Handle("GET /settings", sh.SignedIn(a.settings.First))
	mux.Handle("GET /settings/overview", admins(sh.InTurn(a.settings.Overview)))
	mux.Handle("GET /settings/policy", admins(a.settings.Policy))
	mux.Handle("GET /settings/moves", sh.Only(gangway.ToApprove, a.settings.Moves))
	mux.Handle("POST /settings/moves", sh.Only(gangway.ToApprove, a.settings.SaveMoves))
	mux.Handle("POST /settings/policy", admins(a.settings.SavePolicy))
	mux.Handle("GET /settings/crew-rules", admins(a.crew.Rules(true)))
	mux.Handle("POST /settings/crew-rules", admins(a.crew.SaveRules(true)))
	mux.Handle("GET /settings/supplier", admins(a.settings.Supplier))
	mux.Handle("POST /settings/supplier", admins(sh.Turn(a.settings.TrySupplier)))
	mux.Handle("GET /settings/feeds", admins(sh.InTurn(a.feeds.Feeds)))
	mux.Handle("GET /settings/feeds/{name}", admins(sh.InTurn(a.feeds.Feed)))
	mux.Handle("GET /settings/feeds/{name}/stream", admins(sh.Streaming(a.feeds.FeedStream)))
	mux.Handle("POST /settings/feeds/{name}/fetch", admins(a.feeds.FetchFeed))
	mux.Handle("POST /settings/feeds/{name}/encoding", admins(a.feeds.ConfirmEncoding))
	mux.Handle("POST /settings/feeds/{name}/switch", admins(a.feeds.SwitchFeed))
	mux.Handle("GET /settings/feeds/{name}/runs/{id}", admins(sh.InTurn(a.feeds.FeedRun)))
	mux.Handle("GET /settings/feeds/{name}/runs/{id}/accept", admins(a.feeds.AskAcceptShorter))
	mux.Handle("POST /settings/feeds/{name}/runs/{id}/accept", admins(a.feeds.AcceptShorter))
	mux.Handle("GET /settings/feeds/{name}/runs/{id}/documents/{place}", admins(sh.Filing(a.feeds.FeedDocument)))
	mux.Handle("GET /settings/feeds/{name}/versions", admins(sh.InTurn(a.feeds.FeedVersions)))
	mux.Handle("GET /settings/feeds/{name}/versions/{version}", admins(sh.InTurn(a.feeds.FeedVersion)))
	mux.Handle("POST /settings/feeds/{name}/versions/{version}", admins(a.feeds.GoBackFeed))
	mux.Handle("GET /settings/feeds/{name}/delete", admins(a.feeds.AskDeleteFeed))
	mux.Handle("POST /settings/feeds/{name}/delete", admins(a.feeds.DeleteFeed))
	setUp := admins(sh.WithFile(feeds.SampleBytes, a.feeds.SetUpFeed))
	mux.Handle("GET /settings/feeds/new", admins(a.feeds.NewFeed))
	mux.Handle("POST /settings/feeds/new", setUp)
	mux.Handle("GET /settings/feeds/{name}/edit", admins(a.feeds.EditFeed))
	mux.Handle("POST /settings/feeds/{name}/edit", setUp)
	mux.Handle("GET /settings/outlets", admins(sh.InTurn(a.outlets.Outlets)))
	mux.Handle("GET /settings/outlets/new", admins(a.outlets.NewOutlet))
	mux.Handle("POST /settings/outlets/new", admins(a.outlets.SetUpOutlet))
	mux.Handle("GET /settings/outlets/{name}/edit", admins(a.outlets.EditOutlet))
	mux.Handle("POST /settings/outlets/{name}/edit", admins(a.outlets.SetUpOutlet))
	mux.Handle("POST /settings/outlets/{name}/test", admins(outlets.Of(a.outlets.TestOutlet)))
	mux.Handle("GET /settings/outlets/{name}/delete", admins(outlets.Of(a.outlets.AskDeleteOutlet)))
	mux.Handle("POST /settings/outlets/{name}/delete", admins(outlets.Of(a.outlets.DeleteOutlet)))
	mux.Handle("GET /settings/outlets/{name}", admins(sh.InTurn(a.outlets.Outlet)))
	mux.Handle("POST /settings/outlets/{name}/pause", admins(a.outlets.PauseOutlet))
	mux.Handle("GET /settings/outlets/{name}/secret", admins(a.outlets.AskSecret))
	mux.Handle("POST /settings/outlets/{name}/secret", admins(a.outlets.RotateOutlet))
	mux.Handle("POST /settings/outlets/{name}/secret/drop", admins(a.outlets.DropOutletSecret))
	mux.Handle("POST /settings/outlets/{name}/parked", admins(outlets.Of(a.outlets.ReplayParked)))
	mux.Handle("GET /settings/outlets/{name}/replay", admins(sh.Turn(outlets.Of(a.outlets.AskReplay))))
	mux.Handle("POST /settings/outlets/{name}/replay", admins(outlets.Of(a.outlets.ReplaySpan)))
	mux.Handle("GET /settings/outlets/{name}/deliveries/{booking}/{action}",
		admins(sh.InTurn(a.outlets.OutletDelivery)))
	mux.Handle("POST /settings/outlets/{name}/deliveries/{booking}/{action}/replay",
		admins(outlets.Of(a.outlets.ReplayDelivery)))
	mux.Handle("GET /settings/check", admins(sh.InTurn(a.check.Check)))
	mux.Handle("POST /settings/check", admins(a.check.RunCheck))
	mux.Handle("GET /settings/feeds/{name}/upload", sh.SignedIn(a.feeds.UploadForm))
	mux.Handle("POST /settings/feeds/{name}/upload", sh.SignedIn(a.feeds.TakeUpload))
	mux.Handle("GET /settings/feeds/{name}/upload/{run}", sh.SignedIn(a.feeds.UploadedFile))
	mux.Handle("GET /settings/feeds/{name}/upload/{run}/stream", sh.SignedIn(sh.Streaming(a.feeds.UploadStream)))
	mux.Handle("GET /settings/integrator", admins(sh.InTurn(a.integrator.Requests)))
	mux.Handle("GET /settings/integrator/{environment}/{request}", admins(a.integrator.Request))
	mux.Handle("POST /settings/integrator/{environment}/{request}", admins(a.integrator.Request))
	mux.Handle("GET /settings/sandbox", sh.SignedIn(a.sandbox.Sandbox))
	mux.Handle("POST /settings/sandbox/send", sh.SignedIn(a.sandbox.SendSandbox))
	mux.Handle("POST /settings/sandbox/advance", sh.SignedIn(a.sandbox.AdvanceSandbox))
	mux.Handle("POST /settings/sandbox/disrupt", sh.SignedIn(a.sandbox.DisruptSandbox))
	mux.Handle("GET /settings/people", admins(a.people.People))
	mux.Handle("GET /settings/people/invite", admins(a.people.Invite))
	mux.Handle("POST /settings/people/invite", admins(a.people.SendInvitation))
	mux.Handle("POST /settings/people/withdraw", admins(a.people.Withdraw))
	mux.Handle("GET /settings/people/{person}", admins(a.people.Person))
	mux.Handle("POST /settings/people/{person}/change", admins(a.people.ChangePerson))
	mux.Handle("GET /settings/keys", admins(a.people.Keys))
	mux.Handle("POST /settings/keys", admins(a.people.MakeKey))
	mux.Handle("POST /settings/keys/{key}/change", admins(a.people.ChangeKey))
	mux.Handle("GET /settings/account", admins(a.people.Account))
	mux.Handle("POST /settings/account", admins(a.people.Rename))
	mux.Handle("POST /settings/account/currency", admins(a.people.ChangeCurrency))
	mux.Handle("GET /settings/audit", admins(sh.InTurn(a.audit.AuditLog)))
	mux.Handle("GET /settings/audit.csv", admins(sh.Filing(a.audit.ExportAudit)))
}

// noSuchPage answers requests for an address that is not in routes.go, or with a method
// that an address there does not have.
func (a *App) noSuchPage(w http.ResponseWriter, r *http.Request) error {
	if allow := a.table.Allowed(r); len(allow) > 0 {
		return web.MethodNotAllowed(allow...)
	}
	return gangway.Errorf(gangway.NotFound, "there is no page at this address")
}
