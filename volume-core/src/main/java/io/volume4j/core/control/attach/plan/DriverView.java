package io.volume4j.core.control.attach.plan;

/**
 * What decides whether the controller verifies a driver's attachments.
 *
 * @param observes whether the driver's plugin can report its attachments
 * @param attachments how many attachments the controller knows
 * @param verifyAt loop time of the next verification
 * @param now loop time
 */
public record DriverView(String driver, boolean observes, int attachments, long verifyAt, long now)
        implements AttachView {}
