; nothing here
; (define (domain hidden))
