package io.volume4j.core.control.attach.call;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import org.jspecify.annotations.Nullable;

/**
 * For which VolumeAttachment a PersistentVolume is reserved, as its annotation {@link GrantKeys#RESERVED} says.
 *
 * @param name of the VolumeAttachment, {@code ""} if it is reserved for none
 * @param uid of it
 */
public record Reservation(String name, String uid) {
    /** Of the volume. A text that is none of ours reserves nothing: it names no record that could be there. */
    public static Reservation of(PersistentVolume volume) {
        String[] words = volume.metadata().annotation(GrantKeys.RESERVED).split(" ", -1);
        return words.length == 2 ? new Reservation(words[0], words[1]) : new Reservation("", "");
    }

    /** For the record. */
    public static Reservation of(VolumeAttachment record) {
        return new Reservation(record.metadata().name(), record.metadata().uid());
    }

    public boolean none() {
        return name.isEmpty();
    }

    /** Whether it is for that very object. */
    public boolean isOf(@Nullable ApiObject record) {
        return record != null
                && record.metadata().name().equals(name)
                && record.metadata().uid().equals(uid);
    }

    String text() {
        return name + " " + uid;
    }
}
