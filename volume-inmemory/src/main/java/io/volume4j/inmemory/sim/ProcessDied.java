package io.volume4j.inmemory.sim;

/** Unwinds a call whose process was killed. An Error, so that the library does not treat it as a failed call. */
final class ProcessDied extends Error {
    private static final long serialVersionUID = 1L;

    ProcessDied(String process) {
        super(process + " is dead", null, false, false);
    }
}
