package io.volume4j.csi.testing;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Answers of a scripted driver whose requests a test wants to see. */
public final class Recording {
    private final ScriptedDriver driver;
    private final List<Message> requests = Collections.synchronizedList(new ArrayList<>());

    public Recording(ScriptedDriver driver) {
        this.driver = driver;
    }

    /** Answers the call so, and keeps the request. */
    public <Q extends Message, R> Recording on(MethodDescriptor<Q, R> method, Function<Q, R> script) {
        driver.on(method, request -> {
            requests.add(request);
            return script.apply(request);
        });
        return this;
    }

    /** The same of a call that answers with a stream. */
    public <Q extends Message, R> Recording onStream(
            MethodDescriptor<Q, R> method, BiConsumer<Q, StreamObserver<R>> script) {
        driver.<Q, R>onStream(method, (request, out) -> {
            requests.add(request);
            script.accept(request, out);
        });
        return this;
    }

    /** All requests of the type so far. */
    public <Q extends Message> List<Q> of(Class<Q> type) {
        synchronized (requests) {
            return requests.stream().filter(type::isInstance).map(type::cast).toList();
        }
    }

    /** The last request of the type. */
    public <Q extends Message> Q last(Class<Q> type) {
        List<Q> all = of(type);
        if (all.isEmpty()) {
            throw new AssertionError("no " + type.getSimpleName() + " came in");
        }
        return all.get(all.size() - 1);
    }
}
