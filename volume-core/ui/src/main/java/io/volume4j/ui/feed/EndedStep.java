package io.volume4j.ui.feed;

/**
 * A step that ended.
 *
 * @param kind such as {@code MOUNT}
 * @param key what it was about
 * @param endedNanos by the feed's ticker
 * @param tookNanos from its call's submission
 * @param failure why it failed, {@code ""} if it succeeded
 */
public record EndedStep(String kind, Object key, int attempt, long endedNanos, long tookNanos, String failure) {}
