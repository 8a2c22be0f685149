package io.volume4j.spi.model;

/**
 * What went wrong last with a snapshot, for people.
 *
 * @param time as it is stored, RFC 3339; {@code ""} if it is not said
 * @since 0.1.0
 */
public record SnapshotError(String time, String message) {
    public SnapshotError {
        time = Copies.text(time);
        message = Copies.text(message);
    }
}
