package io.volume4j.csi.driver.server;

/** The call ends without an answer: its caller is gone, the connection is, or the whole driver. */
final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Lost(String why) {
        super(why, null, false, false);
    }
}
