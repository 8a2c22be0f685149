package io.volume4j.examples.agent;

import io.volume4j.spi.model.ObjectKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters for options with a format. */
final class Words {
    private Words() {}

    /** {@code ADDRESS:PORT} to listen at. */
    static final class Address implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            int colon = text.lastIndexOf(':');
            try {
                if (colon > 0) {
                    int port = Integer.parseInt(text.substring(colon + 1));
                    return new InetSocketAddress(InetAddress.getByName(text.substring(0, colon)), port);
                }
            } catch (IllegalArgumentException | UnknownHostException wrong) {
                // reported below, like an address without a port
            }
            throw new TypeConversionException("is ADDRESS:PORT, such as 127.0.0.1:8001, not " + text);
        }
    }

    /** {@code NAMESPACE/NAME} of a Lease. */
    static final class LeaseName implements ITypeConverter<ObjectKey> {
        @Override
        public ObjectKey convert(String text) {
            int slash = text.indexOf('/');
            if (slash < 1 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
                throw new TypeConversionException(
                        "is NAMESPACE/NAME, such as kube-system/volume4j-controllers, not " + text);
            }
            return ObjectKey.lease(text.substring(0, slash), text.substring(slash + 1));
        }
    }

    /** A number of seconds. */
    static final class Seconds implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (!text.matches("[1-9][0-9]{0,5}")) {
                throw new TypeConversionException("is a number of seconds, such as 120, not " + text);
            }
            return Integer.valueOf(text);
        }
    }
}
