package io.volume4j.core.control.host;

import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.time.Instant;
import java.util.List;

/**
 * A change of some fields of one object, done only if the object is still the one that the decision was taken from.
 *
 * @param revision the revision that was looked at; a write that follows another of the same object in one step goes on
 *     from that one's result instead
 */
public record ObjectWrite(ObjectKey key, String uid, String revision, boolean status, List<FieldChange> changes) {
    public ObjectWrite {
        changes = List.copyOf(changes);
    }

    /** Of everything but the status. */
    public static ObjectWrite of(ApiObject object, List<FieldChange> changes) {
        return new ObjectWrite(
                object.key(), object.metadata().uid(), object.metadata().resourceVersion(), false, changes);
    }

    /** Of the status alone. */
    public static ObjectWrite ofStatus(ApiObject object, List<FieldChange> changes) {
        return new ObjectWrite(
                object.key(), object.metadata().uid(), object.metadata().resourceVersion(), true, changes);
    }

    /** The same with the time at which it is sent. */
    ObjectWrite at(Instant now) {
        return new ObjectWrite(
                key,
                uid,
                revision,
                status,
                changes.stream().map(change -> WriteTime.at(now, change)).toList());
    }

    /** The write as the store takes it, against the revision that is the latest by now. */
    public Patch against(String latestRevision) {
        return new Patch(new Preconditions(uid, latestRevision), status, changes);
    }
}
