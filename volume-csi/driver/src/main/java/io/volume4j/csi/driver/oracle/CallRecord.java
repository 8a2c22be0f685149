package io.volume4j.csi.driver.oracle;

import java.time.Duration;

/**
 * A call that has ended, or been lost.
 *
 * @param node whose endpoint it came in on
 * @param rpc such as {@code CreateVolume}
 * @param subject whom it was about: an id, or a name where there is none yet; may be empty
 * @param outcome the gRPC code of its answer, or {@code LOST} if it got none
 * @param why what the answer said; empty for a success
 * @param took from its arrival to its end
 * @since 0.1.0
 */
public record CallRecord(String node, String rpc, String subject, String outcome, String why, Duration took) {
    /** The outcome of a call that got no answer. */
    public static final String LOST = "LOST";
}
