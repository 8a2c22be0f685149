package io.volume4j.ui.feed;

/**
 * An ended step.
 *
 * @param kind such as {@code MOUNT}
 * @param key of the volume or object
 * @param endedNanos by the feed's ticker
 * @param tookNanos from the submission of its call
 * @param failure the reason of the failure, {@code ""} for a success
 */
public record EndedStep(String kind, Object key, int attempt, long endedNanos, long tookNanos, String failure) {}
