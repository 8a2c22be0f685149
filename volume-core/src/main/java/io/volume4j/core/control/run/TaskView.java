package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.control.capacity.CapacityView;
import io.volume4j.core.control.ephemeral.OwnedClaimView;
import io.volume4j.core.control.ephemeral.PodView;
import io.volume4j.core.control.expand.ExpandView;
import io.volume4j.core.control.populate.PopulateView;
import io.volume4j.core.control.protection.ProtectedView;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * What the planners of several tasks need to know about one object; null for those that have nothing to do with it.
 */
record TaskView(
        ObjectKey key,
        @Nullable BindingView binding,
        @Nullable ExpandView expand,
        @Nullable ProtectedView protection,
        @Nullable PodView pod,
        @Nullable OwnedClaimView owned,
        @Nullable CapacityView capacity,
        @Nullable BindingView snapshots,
        @Nullable PopulateView populate)
        implements BindingView {
    boolean empty() {
        return binding == null
                && expand == null
                && protection == null
                && pod == null
                && owned == null
                && capacity == null
                && snapshots == null
                && populate == null;
    }
}
