package io.volume4j.csi.driver.oracle;

import java.time.Duration;

/**
 * A call that has ended or was lost.
 *
 * @param node of the endpoint
 * @param rpc such as {@code CreateVolume}
 * @param subject the object of the call: an id, or a name before it has one; may be empty
 * @param outcome the gRPC code of the answer, or {@code LOST} without an answer
 * @param why the message of the answer; empty for a success
 * @param took from its arrival to its end
 * @since 0.1.0
 */
public record CallRecord(String node, String rpc, String subject, String outcome, String why, Duration took) {
    /** The outcome of a call without an answer. */
    public static final String LOST = "LOST";
}
