package io.volume4j.csi.driver.server;

/** The call ends without an answer, because its caller, its connection or the driver is gone. */
final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Lost(String why) {
        super(why, null, false, false);
    }
}
