package flights

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// CameFrom says in words where a record comes from and, where known, on which day it
// was last seen there.
func CameFrom(from gangway.Origin) string {
	words := "Uploaded by your crew planning system"
	if name := from.Source.Feed(); name != "" {
		words = "From the feed “" + name + "”"
	}
	if from.SeenAt.IsZero() {
		return words
	}
	return words + ", last on " + shell.DateInWords(gangway.DateOf(from.SeenAt))
}

// Sources says in few words where records come from: "from crew (SFTP)", "uploaded".
// Its zero value says nothing: an account without feeds has what was uploaded alone.
type Sources map[gangway.Source]string

// SourcesOf reads which feeds the account has.
func SourcesOf(ctx context.Context, in store.Scoped) (Sources, error) {
	feeds, err := in.Feeds(ctx)
	if err != nil || len(feeds) == 0 {
		return nil, err
	}
	words := Sources{gangway.Uploaded: "uploaded"}
	for _, f := range feeds {
		words[gangway.FeedSource(f.Name)] = "from " + f.Name + " (" + transportWord(f.Transport.Kind) + ")"
	}
	return words, nil
}

// Of says where a record comes from.
func (s Sources) Of(source gangway.Source) string {
	if words, known := s[source]; known || source.Feed() == "" {
		return words
	}
	return "from " + source.Feed() // which was deleted just now
}

// ofTravellers says of each of some travellers where they come from, by key.
func (s Sources) ofTravellers(ctx context.Context, in store.Scoped,
	list []gangway.Traveller) (map[string]string, error) {
	if s == nil {
		return nil, nil
	}
	keys := gangway.Each(list, gangway.Traveller.RecordKey)
	sources, err := in.TravellerSources(ctx, keys)
	if err != nil {
		return nil, err
	}
	words := map[string]string{}
	for key, source := range sources {
		words[key] = s.Of(source)
	}
	return words, nil
}

// AboutAll tells each of some travellers from others of the same name, also by where
// they come from, and whether their passports have expired today.
func AboutAll(ctx context.Context, in store.Scoped, list []gangway.Traveller, today gangway.Date) ([]string, error) {
	sources, err := SourcesOf(ctx, in)
	if err != nil {
		return nil, err
	}
	from, err := sources.ofTravellers(ctx, in, list)
	if err != nil {
		return nil, err
	}
	about := make([]string, len(list))
	for i, t := range list {
		about[i] = aboutOn(t, today)
		if words := from[t.RecordKey()]; words != "" {
			if about[i] != "" {
				about[i] += " · "
			}
			about[i] += words
		}
	}
	return about, nil
}

// transportWord names how a feed's documents travel.
func transportWord(kind string) string {
	if word, ok := map[string]string{"endpoint": "web address", "sftp": "SFTP", "ftps": "FTPS",
		"ftp": "FTP"}[kind]; ok {
		return word
	}
	return kind
}
