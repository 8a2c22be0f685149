package io.volume4j.core.control.attach.call;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import org.jspecify.annotations.Nullable;

/**
 * The VolumeAttachment for which a PersistentVolume is reserved, from its annotation {@link GrantKeys#RESERVED}.
 *
 * @param name of the VolumeAttachment, {@code ""} if the volume is not reserved
 * @param uid of the VolumeAttachment
 */
public record Reservation(String name, String uid) {
    /** The reservation of the volume. An annotation that is not valid reserves nothing, because it names no record. */
    public static Reservation of(PersistentVolume volume) {
        String[] words = volume.metadata().annotation(GrantKeys.RESERVED).split(" ", -1);
        return words.length == 2 ? new Reservation(words[0], words[1]) : new Reservation("", "");
    }

    /** A reservation for the record. */
    public static Reservation of(VolumeAttachment record) {
        return new Reservation(record.metadata().name(), record.metadata().uid());
    }

    public boolean none() {
        return name.isEmpty();
    }

    /** Whether it is for exactly this object, by name and UID. */
    public boolean isOf(@Nullable ApiObject record) {
        return record != null
                && record.metadata().name().equals(name)
                && record.metadata().uid().equals(uid);
    }

    String text() {
        return name + " " + uid;
    }
}
