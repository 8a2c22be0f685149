package io.volume4j.core.control;

import io.volume4j.core.control.schedule.SchedulingWorld;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import org.jspecify.annotations.Nullable;

/** Passes the changes of a controller's cache to a binder. */
final class BinderFeed implements ObjectListener {
    private final VolumeBinder binder;

    BinderFeed(VolumeBinder binder) {
        this.binder = binder;
        // without the snapshots, which a cluster need not have: the provisioner checks them when it makes the volume
        SchedulingWorld.KINDS.forEach(kind -> binder.complete(kind, false));
    }

    @Override
    public void changed(ObjectChange change) {
        @Nullable ApiObject after = change.after();
        if (after != null) {
            binder.changed(after);
        } else {
            binder.deleted(change.latest());
        }
    }

    @Override
    public void completeness(Kind kind, boolean complete) {
        if (SchedulingWorld.KINDS.contains(kind)) {
            binder.complete(kind, complete);
        }
    }
}
