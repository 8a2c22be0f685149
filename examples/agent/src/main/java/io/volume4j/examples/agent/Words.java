package io.volume4j.examples.agent;

import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
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

        /** For a client of what listens there. */
        static URI http(InetSocketAddress address) {
            String host = address.getAddress().getHostAddress();
            return URI.create(
                    "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort() + "/");
        }
    }

    /** The address of a member of etcd. */
    static final class Member implements ITypeConverter<URI> {
        @Override
        public URI convert(String text) {
            try {
                URI member = URI.create(text);
                if (List.of("http", "https").contains(String.valueOf(member.getScheme())) && member.getHost() != null) {
                    return member;
                }
            } catch (IllegalArgumentException wrong) {
                // reported below, like an address without http://
            }
            throw new TypeConversionException("a member is http://HOST:PORT or https://HOST:PORT, not " + text);
        }
    }

    /** {@code NAMESPACE/NAME} of a Lease. An API server refuses every other name, and no process would lead. */
    static final class LeaseName implements ITypeConverter<ObjectKey> {
        @Override
        public ObjectKey convert(String text) {
            int slash = text.indexOf('/');
            if (slash < 0
                    || !NameRule.LABEL.allows(text.substring(0, slash))
                    || !NameRule.SUBDOMAIN.allows(text.substring(slash + 1))) {
                throw new TypeConversionException(
                        "is NAMESPACE/NAME of lower-case letters, digits, '-' and '.', such as"
                                + " kube-system/volume4j-controllers, not " + text);
            }
            return ObjectKey.lease(text.substring(0, slash), text.substring(slash + 1));
        }
    }

    /** The name of a Node object: an API server refuses every other, and the agent would try again without end. */
    static final class NodeName implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (!NameRule.SUBDOMAIN.allows(text)) {
                throw new TypeConversionException(
                        "is a node's name of lower-case letters, digits, '-' and '.', such as worker-1.example,"
                                + " not " + text);
            }
            return text;
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
