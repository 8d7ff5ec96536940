// Nothing but the precompiled header that the test suites share: its executable has no tests.
