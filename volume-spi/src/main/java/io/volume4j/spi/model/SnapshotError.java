package io.volume4j.spi.model;

/**
 * The last error of a snapshot, for people.
 * @param time the time as it is stored, in RFC 3339; {@code ""} if unknown
 * @since 0.1.0
 */
public record SnapshotError(String time, String message) {
    public SnapshotError {
        time = Copies.text(time);
        message = Copies.text(message);
    }
}
