package io.volume4j.csi;

import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.rpc.Rpc;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reports calls to the listener, if there is one. */
final class Reporting implements RpcObserver {
    private final CsiCallListener listener;
    private final LongSupplier nanoClock;

    Reporting(CsiCallListener listener, LongSupplier nanoClock) {
        this.listener = listener;
        this.nanoClock = nanoClock;
    }

    @Override
    public Span begin(Rpc rpc, Supplier<String> request) {
        if (listener == CsiCallListener.NONE) {
            return RpcObserver.NONE.begin(rpc, request);
        }
        CsiCall call = CsiCall.begun(rpc.label(), request);
        listener.begins(call);
        long begin = nanoClock.getAsLong();
        return failure -> {
            Duration took = Duration.ofNanos(nanoClock.getAsLong() - begin);
            listener.ends(
                    failure == null
                            ? call.ended(took, "OK", null, "")
                            : call.ended(took, failure.code().name(), failure.kind(), failure.getMessage()));
        };
    }
}
