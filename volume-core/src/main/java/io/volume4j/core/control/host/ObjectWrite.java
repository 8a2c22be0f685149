package io.volume4j.core.control.host;

import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.time.Instant;
import java.util.List;

/**
 * A change of some fields of one object. The store applies it only if the object still has the UID and the revision
 * on which the controller decided.
 *
 * @param revision the revision on which the controller decided; if one step writes the same object twice, the second
 *     write uses the revision that the first write produced
 */
public record ObjectWrite(ObjectKey key, String uid, String revision, boolean status, List<FieldChange> changes) {
    public ObjectWrite {
        changes = List.copyOf(changes);
    }

    /** A write of fields outside the status. */
    public static ObjectWrite of(ApiObject object, List<FieldChange> changes) {
        return new ObjectWrite(
                object.key(), object.metadata().uid(), object.metadata().resourceVersion(), false, changes);
    }

    /** A write of fields of the status only. */
    public static ObjectWrite ofStatus(ApiObject object, List<FieldChange> changes) {
        return new ObjectWrite(
                object.key(), object.metadata().uid(), object.metadata().resourceVersion(), true, changes);
    }

    /** The write with the time of its sending. */
    ObjectWrite at(Instant now) {
        for (FieldChange change : changes) {
            if (WriteTime.isIn(change)) {
                return new ObjectWrite(
                        key,
                        uid,
                        revision,
                        status,
                        changes.stream().map(each -> WriteTime.at(now, each)).toList());
            }
        }
        return this;
    }

    /** The patch for the store, against the latest known revision. */
    public Patch against(String latestRevision) {
        return new Patch(new Preconditions(uid, latestRevision), status, changes);
    }
}
