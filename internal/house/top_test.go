package house

// top is the repository's top folder: each test goes there, as all of them are about the whole tree. That is done
// within the test, so that go test knows which files its result depends on.
const top = "../.."
