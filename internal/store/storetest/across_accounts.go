package storetest

import "strings"

// Everything else keeps to one account: the account leads keys and conditions, and a transaction writes rows of one
// account. A database that spreads accounts over machines needs that. All exceptions are here, by reason; tests of the
// store and TestReplicasKilled fail for others.

// AcrossAccounts are the functions and variables, as file.name, whose statements do not begin with the account or whose
// transactions are not Scoped's.
var AcrossAccounts = map[string]string{
	"claims of work: a worker looks for what is due in any account, and does each piece in its account": `
		batch_leases.TakeBatches booking_compare.ToCompare delivery_queues.MakeQueuesDue delivery_queues.TakeQueues
		delivery_queues.takeQueues due.TakeDue feed_leases.TakeFeeds lease.Expire leases.expireLeases leases.takeEach
		mails.DeskMails mails.ViewsToMail outlet_notices.OutletMails report_build.BuildReports report_build.buildReport
		traveller_words.WriteTravellerWords unsettled_intents.TakeUnsettledIntents`,
	"workers: one transaction for rows of several accounts, to save commits; no row depends on another account's": `
		delivery_outcomes.Settle delivery_outcomes.writeAttempts request_log.LogRequests trace.Trace
		trace.traceStatement trace.untraced`,
	"one account's rows, and it is not asked whether the account was removed, or asked otherwise": `
		mails.KeepUses outlet_states.DeleteOutlet report_periods.withMark request_log.deleteRequests
		scoped.writeUnseen`,
	"old rows go in portions, by their time; what is kept is counted for the operator": `
		expire.Expire expire.deleteOld expire.deleteSearches expire.nextOldSearches kept.Kept kept.dropLanes kept.forget
		request_log.ExpireRequests rows.inPortions`,
	"sign-in, sessions and people: whose account it is follows from the answer": `
		credentials.CreateCredential credentials.ReportLogin credentials.key invitations.AcceptInvitation
		invitations.Invite invitations.WithdrawInvitation people.CreateUser people.EndSessions people.MakeFamiliar
		people.NoteSeen people.RemoveUser people.SetPassword people.UpdateUser sessions.CommitCtx
		sessions.DeleteCtx shared_links.LinkByHash`,
	"the operator's figures are of all accounts": `figures.FeedFigures figures.OpenWork figures.OutletFigures`,
	"a copy is of the whole database": `
		copy.copy copy.loadSQLite restored.FinishRestore restored.execAll`,
	"the operator's commands are about a customer with both accounts, or about all": `
		audit.Record customers.CreateCustomer customers.RenameCustomer remove.Belongings remove.RemoveCustomer
		remove.removeAll remove.removeOf secrets.Reseal secrets.sealedIn`,
	"the table has no rows of accounts": `
		audit_chain.changeChain certificates.writeOne form_keys.FormKeys handoffs.SaveHandoff ready.extend
		replicas.NoteReplica wipe.clearUnused`,
	"the condition is put together from parts, and the first is the account": `
		booking_meaning.findExactly booking_waits.countUpTo booking_waits.firstStatement bookings.insertBooking
		bulk.copyRows bulk.lastRow claims.promoteClaim claims.setClaims delivery_batches.makeBatch
		delivery_queues.lockQueues delivery_queues.makeQueuesDue drop.unclaim erase_find.markedStatement
		erase_old_rows.eraseSeen kept.emptyAction person_export.exportRow rows.deleteMany rows.eachValue
		rows.insertMany rows.latestOfEach trace.retrace traveller_tables.lock walk.statement`,
}

// KeysAcrossAccounts are the tables without the column account, and the keys, indexes and references of other tables
// that do not begin with it.
var KeysAcrossAccounts = map[string]string{
	"the table has no rows of accounts": `
		account audit audit_chain certificate customer form_key goose_db_version handoff handoff_waiting last_backup
		replica restored schema_oldest`,
	"sign-in, sessions and people": `
		credential_hash credential_pkey familiar invitation person session shared_link_hash_key`,
	"claims of work":                        `batch_due booking_check booking_to_compare feed_due intent_due report_view_mail_due`,
	"it is told to others, without account": `booking_locator_key`,
	"old rows are found by their time": `
		agent_list_old batch_old feed_run_began move_spent_old idempotency_old intent_closed search_old shared_link_made`,
}

// transactionsAcross are what tells statements of AcrossAccounts by their text, where they name several accounts: news
// for other replicas, claims of work, queues of deliveries, the request log, traces, and new customers.
var transactionsAcross = []string{"pg_notify(", " AND lease <= $3", "of_account", "INTO logged_request ",
	" SET traced = ", "INTO account "}

// MayCrossAccounts reports whether the transaction of a statement may be about several accounts.
func MayCrossAccounts(statement string) bool {
	for _, part := range transactionsAcross {
		if strings.Contains(statement, part) {
			return true
		}
	}
	return false
}
