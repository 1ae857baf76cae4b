from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND

# What other kernels may call.
cdef Py_ssize_t decoded(const unsigned char[::1] data, Py_ssize_t i, Py_ssize_t end) except? -1 nogil
