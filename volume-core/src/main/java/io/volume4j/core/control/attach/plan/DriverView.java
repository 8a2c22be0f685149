package io.volume4j.core.control.attach.plan;

/**
 * Whether a driver's attachments are to be verified.
 *
 * @param observes whether the driver's plugin can say what is attached
 * @param attachments how many are believed to be there
 * @param verifyAt loop time at which to ask next
 * @param now loop time
 */
public record DriverView(String driver, boolean observes, int attachments, long verifyAt, long now)
        implements AttachView {}
